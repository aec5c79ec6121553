import type { CurveProps } from 'recharts'
import { LazyDrawing, lazyDrawing } from './lazy-drawing.tsx'

const rowCurve = lazyDrawing(async () => (await import('./row-curve.tsx')).RowCurve)

type RowPictureProps = {
  /** What the points show. */
  of: unknown
  points: NonNullable<CurveProps['points']>
  reading: string
  /** `left, top, width, height` of the viewBox. */
  box: readonly [number, number, number, number]
}

/** One SVG per row: keep its elements few. */
export const RowPicture = ({ of, points, reading, box }: RowPictureProps) => (
  <LazyDrawing
    drawing={rowCurve}
    as="svg"
    drawn={{ points, reading }}
    host={{ role: 'img', viewBox: box.join(' '), preserveAspectRatio: 'none' }}
    of={of}
  />
)
