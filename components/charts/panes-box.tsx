import type { ReactNode, RefObject } from 'react'

type PanesBoxProps = {
  /** What the width is measured of. */
  box: RefObject<HTMLDivElement | null>
  /** In pixels; 0 before it is known. */
  width: number
  height: number
  /** The panes. */
  children: ReactNode
  /** What takes pointer and keys over all of them, once the width is known. */
  reader: ReactNode
}

/** The place of panes that share a time axis: they fill it while its width is not known. Sets `--axis`. */
export const PanesBox = ({ box, width, height, children, reader }: PanesBoxProps) => (
  <div ref={box} className="@container relative min-w-0 overflow-hidden" style={{ height }}>
    <div
      className="[--axis:112px] @max-[640px]:[--axis:48px]"
      style={width > 0 ? { width } : undefined}
    >
      {children}
    </div>
    {width > 0 && reader}
  </div>
)
