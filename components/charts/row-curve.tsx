import { Curve, type CurveProps } from 'recharts'

type RowCurveProps = { points: NonNullable<CurveProps['points']>; reading: string }

export const RowCurve = ({ points, reading }: RowCurveProps) => (
  <>
    <title>{reading}</title>
    <Curve points={points} />
  </>
)
