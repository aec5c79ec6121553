import type { Facets } from '#lib/contract/answers/ratings.ts'
import { RATING_LABELS, ratingLabel } from '#lib/contract/rating-codes.ts'
import { type Chosen, only, toToggled } from '#lib/contract/value-list.ts'
import type { Bar, Bars } from './bars.ts'
import { toCodeRows } from './facet-rows.ts'
import { withFilter } from './query-change.ts'
import { WHOLE } from './shares.ts'

/** What the ratings say, from Strong Sell to Strong Buy: a click takes one of them in or out, a drag chooses several. */
export function toRatingBars(counted: Facets['rating'], chosen: Chosen<number>): Bars {
  const rows = toCodeRows({ known: RATING_LABELS, counted, chosen, toLabel: ratingLabel })
  const bars = rows.map((row): Bar => {
    const isOn = chosen.only.length === 0 ? !row.isNot : row.isOn
    return {
      key: String(row.value),
      label: row.label,
      count: row.count ?? 0,
      isOn,
      pick: (query) => withFilter(query, { rating: toToggled(query.rating, row.value) }),
    }
  })
  const label = (index: number) => rows[index]?.label ?? ''
  return {
    bars,
    // They need not stand side by side: each fades by itself.
    chosen: WHOLE,
    toLabel: (first, last) => (first === last ? label(first) : `${label(first)} to ${label(last)}`),
    pickSpan: (query, first, last) =>
      withFilter(query, { rating: only(...rows.slice(first, last + 1).map(({ value }) => value)) }),
  }
}
