import { RATINGS } from './density.ts'
import type { PlacedDot } from './placed-dots.ts'
import { PointMarks } from './point-marks.tsx'

/** Single ratings, each in its label's colour: one path for each label. */
export function RatingDots({ dots }: { dots: readonly PlacedDot[] }) {
  return RATINGS.map((rating) => (
    <PointMarks
      key={rating}
      colour={`var(--rating-${rating})`}
      marks={dots.filter((dot) => dot.rating === rating)}
      opacity={0.75}
      size={5.5}
    />
  ))
}
