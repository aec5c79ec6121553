import type { ReactNode } from 'react'

type RowPictureProps = {
  /** What it draws, in words. */
  reading: string
  /** In pixels. */
  width: number
  height: number
  /** Where the hairline stands that it is read against, in pixels from the top. */
  lineY: number
  children: ReactNode
}

/** A small drawing in a row of a league table, in the ink of its text. */
export const RowPicture = ({ reading, width, height, lineY, children }: RowPictureProps) => (
  <svg
    aria-label={reading}
    className="inline-block align-middle text-ink-2 forced-colors:text-[CanvasText]"
    height={height}
    role="img"
    viewBox={`0 0 ${width} ${height}`}
    width={width}
  >
    <title>{reading}</title>
    <line className="stroke-line" x1={0} x2={width} y1={lineY} y2={lineY} />
    {children}
  </svg>
)
