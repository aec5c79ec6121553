import type { ReactNode } from 'react'

type RowPictureProps = {
  reading: string
  /** `left, top, width, height` of the viewBox. */
  box: readonly [number, number, number, number]
  children: ReactNode
}

/** One SVG per row: keep its elements few. */
export const RowPicture = ({ reading, box, children }: RowPictureProps) => (
  <svg role="img" viewBox={box.join(' ')} preserveAspectRatio="none">
    <title>{reading}</title>
    {children}
  </svg>
)
