import { memo } from 'react'
import { DENSITY_STEPS, type DensityCell, RATINGS, toDensityCells } from './density.ts'
import type { PaneFrame } from './pane-frame.ts'
import { type PaneScale, toY } from './pane-scale.ts'
import { type Box, toBoxesPath } from './path-text.ts'
import { toSides } from './time-frame.ts'
import type { TimePoint } from './time-point.ts'

type DensityCellsProps = {
  points: readonly TimePoint[]
  frame: PaneFrame
  scale: PaneScale
}

const HALF_HEIGHT = 7
/** From this width on cells stand apart; narrower ones would be more gaps than cells. */
const WIDE = 14

/** How many ratings came, by bucket and label: one path for each label and step, however many cells there are. */
export const DensityCells = memo(function DensityCells({
  points,
  frame,
  scale,
}: DensityCellsProps) {
  const cells = toDensityCells(points)
  return RATINGS.flatMap((rating) =>
    DENSITY_STEPS.map((opacity, step) => {
      const chosen = cells.filter((cell) => cell.rating === rating && cell.step === step)
      if (chosen.length === 0) return null
      return (
        <path
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps are a constant, each is its own index.
          key={`${rating}-${step}`}
          d={toBoxesPath(chosen.map((cell) => toBox(cell, frame, scale)))}
          fill={`var(--rating-${rating})`}
          fillOpacity={opacity}
        />
      )
    }),
  )
})

function toBox({ column, rating }: DensityCell, frame: PaneFrame, scale: PaneScale): Box {
  const [left, right] = toSides(frame, column)
  const gap = right - left >= WIDE ? 1 : 0
  const y = toY(scale, rating)
  return { left, right: right - gap, top: y - HALF_HEIGHT, bottom: y + HALF_HEIGHT }
}
