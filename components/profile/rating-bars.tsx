import { ActionMark } from '#components/rating/action-mark.tsx'
import { RatingMark, ratingLook } from '#components/rating/rating-mark.tsx'
import type { Counted } from '#lib/contract/answers/envelope.ts'
import type { DistributionBar } from './distribution.tsx'

type Coded = Pick<Counted, 'value' | 'count'> & { label?: string }

/** Bars of rating codes, the highest first, in the scale's colours. */
export const toRatingBars = (
  counts: readonly Coded[],
  hrefFor: (code: number) => string,
): DistributionBar[] =>
  [...counts]
    .sort((a, b) => b.value - a.value)
    .map(({ value, label, count }) => ({
      key: value,
      label: <RatingMark aligned code={value} label={label} />,
      count,
      fill: ratingLook(value).fill,
      href: hrefFor(value),
    }))

/** Bars of action codes: shapes tell them apart, not hues. */
export const toActionBars = (
  counts: readonly Coded[],
  hrefFor: (code: number) => string,
): DistributionBar[] =>
  counts.map(({ value, label, count }) => ({
    key: value,
    label: <ActionMark aligned code={value} label={label} />,
    count,
    fill: 'rating-fill-none',
    href: hrefFor(value),
  }))
