import type { SVGProps } from 'react'
import { type CurvePoint, toLinePath } from './paths.ts'

type CurveProps = Omit<SVGProps<SVGPathElement>, 'd' | 'path' | 'points'> &
  ({ path: string; points?: never } | { points: readonly CurvePoint[]; path?: never })

/** Recharts' `Curve` loads its chart state: 20 KiB for a `<path>`. */
export function Curve({ path, points = [], ...rest }: CurveProps) {
  const d = path ?? toLinePath(points)
  return d === '' ? null : <path {...rest} d={d} />
}
