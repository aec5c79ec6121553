import { formatCount } from '#components/format/count.ts'
import { formatPrediction } from '#components/format/prediction.ts'
import { ratingLook } from '#components/rating/rating-mark.tsx'
import { classNames } from '#components/ui/class-names.ts'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { RATING_LABELS, ratingLabel } from '#lib/contract/rating-codes.ts'
import { toToggled } from '#lib/contract/value-list.ts'
import { type Bar, toPredictionBars, toShares } from './bars.ts'
import { toCodeRows } from './facet-rows.ts'
import { type ChangeQuery, type QueryProps, withFilter } from './query-change.ts'

type HeaderBarsProps = QueryProps & { facets: Facets | undefined; column: string }

/** Does the column show its distribution? */
export const hasHeaderBars = (column: string): boolean =>
  column === 'rating' || column === 'prediction'

/** The distribution of a column above its name, for the eye and the pointer: the filters beside it do the same. */
export function HeaderBars({ column, query, change, facets }: HeaderBarsProps) {
  if (column === 'rating') return <Bars bars={toRatingBars(query, facets)} change={change} />
  const bars = toPredictionBars(
    facets?.prediction ?? [],
    query,
    (least, most) => `${formatPrediction(least)} to ${formatPrediction(most)}`,
  )
  return (
    <Bars bars={bars.map((bar) => ({ ...bar, fill: 'rating-fill-4' }))} change={change} isEnd />
  )
}

type FilledBar = Bar & { fill: string }

function toRatingBars(query: QueryProps['query'], facets: Facets | undefined): FilledBar[] {
  const rows = toCodeRows({
    known: RATING_LABELS,
    counted: facets?.rating,
    chosen: query.rating,
    toLabel: ratingLabel,
  })
  return rows.map((row) => ({
    key: String(row.value),
    label: row.label,
    count: row.count ?? 0,
    isOn: query.rating.only.length === 0 ? !row.isNot : row.isOn,
    pick: (last) => withFilter(last, { rating: toToggled(last.rating, row.value) }),
    fill: ratingLook(row.value).fill,
  }))
}

type BarsProps = { bars: readonly FilledBar[]; change: ChangeQuery; isEnd?: boolean }

function Bars({ bars, change, isEnd = false }: BarsProps) {
  const shares = toShares(
    bars.map(({ count }) => count),
    0.06,
  )
  const widthPx = bars.length > 8 ? 4 : 12
  return (
    <span className={classNames('flex h-[22px] pb-0.5', isEnd && 'justify-end')}>
      {bars.map((bar, index) => (
        <button
          key={bar.key}
          type="button"
          tabIndex={-1}
          title={`${bar.label}: ${formatCount(bar.count)}`}
          // The pointer's click must not leave the focus on what a screen reader cannot see.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => change(bar.pick)}
          className="flex items-end px-px"
          style={{ width: widthPx }}
        >
          <span
            className={classNames(
              'w-full rounded-t-[1px]',
              bar.isOn ? bar.fill : 'bg-line-2 forced-colors:bg-[GrayText]',
            )}
            style={{ height: `${(shares[index] ?? 0) * 100}%` }}
          />
        </button>
      ))}
    </span>
  )
}
