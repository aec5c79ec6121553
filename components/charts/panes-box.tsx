import type { CSSProperties, ReactNode, RefObject } from 'react'
import { classNames } from '#components/ui/class-names.ts'

type PanesBoxProps = {
  box: RefObject<HTMLDivElement | null>
  /** Pixels; 0 until known. */
  width: number
  height: number
  children: ReactNode
  reader: ReactNode
}

/** Sets `--axis` to the values of `toAxisWidth`. */
export const PanesBox = ({ box, width, height, children, reader }: PanesBoxProps) => (
  <div ref={box} className="@container relative min-w-0 overflow-hidden" style={{ height }}>
    <div
      className="[--axis:112px] @max-[640px]:[--axis:48px]"
      style={width > 0 ? { width } : undefined}
    >
      {children}
    </div>
    {reader}
  </div>
)

export type Mark = 'line' | 'dots' | 'faint' | 'dot' | 'block'

type LegendMarkProps = { mark: Mark; colour?: CSSProperties['color'] }

export const LegendMark = ({ mark, colour = 'var(--ink)' }: LegendMarkProps) => (
  <span
    aria-hidden
    className={classNames('shrink-0 forced-color-adjust-none', MARK_CLASSES[mark])}
    style={{ color: colour }}
  />
)

const MARK_CLASSES: Readonly<Record<Mark, string>> = {
  line: 'w-4 border-t-2 border-current',
  dots: 'w-4 border-t-2 border-dotted border-current',
  faint: 'w-4 border-t border-current opacity-60',
  dot: 'size-1.5 rounded-full bg-current',
  block: 'h-2.5 w-2 bg-current',
}
