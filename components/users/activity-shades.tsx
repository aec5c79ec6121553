import { memo } from 'react'
import { Curve, Layer, Surface } from 'recharts'
import {
  type ActivityDay,
  DAY_PART,
  DAY_PX,
  GAP_PX,
  MAP_PX,
  OPACITIES,
  TOP_PX,
  toShadePaths,
  WEEKS,
} from './activity.ts'

const CORNER_PART = 0.05
const CORNER_PX = 1
const WEEK_UNITS = 100

type ShadesProps = { weeks: readonly ActivityDay[][]; steps: readonly number[] }

/** One path per shade. Two rectangles per day keep its corners round when stretched. */
export const Shades = memo(function Shades({ weeks, steps }: ShadesProps) {
  const paths = toShadePaths(weeks, steps, { weekWidth: WEEK_UNITS, top: TOP_PX + 1 })
  return (
    <Surface
      className="absolute inset-0"
      height={MAP_PX}
      preserveAspectRatio="none"
      role="presentation"
      viewBox={{ x: 0, y: 0, width: WEEKS * WEEK_UNITS, height: MAP_PX }}
      width="100%"
    >
      {paths.map((path, step) => {
        if (path === '') return null
        return (
          <Layer
            // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
            key={step}
            className={step === 0 ? 'stroke-line' : 'stroke-accent'}
            opacity={step === 0 ? undefined : OPACITIES[step]}
          >
            <Curve
              path={path}
              strokeDasharray={`${DAY_PX} ${GAP_PX}`}
              strokeWidth={WEEK_UNITS * (DAY_PART - 2 * CORNER_PART)}
            />
            <Curve
              path={path}
              strokeDasharray={`${DAY_PX - 2 * CORNER_PX} ${GAP_PX + 2 * CORNER_PX}`}
              strokeDashoffset={-CORNER_PX}
              strokeWidth={WEEK_UNITS * DAY_PART}
            />
          </Layer>
        )
      })}
    </Surface>
  )
})
