import type { ChartFacts } from '#components/charts/save/chart-facts.ts'
import { formatDay, toZonedDay, toZonedText } from '#components/format/instants.ts'
import { formatCount, formatCounted, formatPrediction } from '#components/format/numbers.ts'
import { END_WORDS } from '#components/marks/rating-marks.tsx'
import { type Extent, toRangeStart } from '#components/time/time-range.ts'
import type { Meta } from '#lib/contract/answers/envelope.ts'
import { USER_RATINGS_MAX } from '#lib/contract/answers/limits.ts'
import type { UserRating, UserRatings, UserRatingsAnswer } from '#lib/contract/answers/users.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import type { UserView } from './user-view.ts'

/** `active`: lasts beyond the axis. `never`: ended before it began. */
type RatingEnd = 'renewed' | 'expired' | 'vanished' | 'active' | 'never'

/** `start` and `end` are fractions of the axis. */
export type PlacedRating = {
  rating: UserRating
  symbol: string
  row: number
  start: number
  end: number
  isCut: boolean
  how: RatingEnd
  isMarked: boolean
}

export type PlacedRow = { symbol: string; ratings: readonly PlacedRating[] }

const MONTHS = { '1y': 12, '3y': 36, all: null } as const

const countListed = ({ symbols }: UserRatings): number =>
  symbols.reduce((sum, row) => sum + row.calls.length, 0)

/** If true, nothing is known of the time before the first listed rating. */
function isCutShort(ratings: UserRatings): boolean {
  const listed = countListed(ratings)
  return listed >= USER_RATINGS_MAX && ratings.calls_total > listed
}

/** Seconds since 1970. */
export function toRatingsExtent(
  ratings: UserRatings,
  range: UserView['range'],
  at: number,
): Extent {
  const first = Math.min(
    ...ratings.symbols.flatMap((row) => row.calls.map((one) => one.created_at)),
  )
  const start = toRangeStart({ months: MONTHS[range] }, at) ?? first
  // Unlisted earlier ratings must not look like a gap.
  return { from: Math.min(isCutShort(ratings) ? Math.max(start, first) : start, at - 1), to: at }
}

const MARK_PX = 27

/** `widthPx` is the width of the axis. */
export function placeRatings(
  ratings: UserRatings,
  { from, to }: Extent,
  widthPx: number,
): PlacedRow[] {
  const rows: PlacedRow[] = []
  const toPart = (at: number) => Math.min(1, Math.max(0, (at - from) / (to - from)))
  for (const { symbol, calls: listed } of ratings.symbols) {
    let free = 0
    const placed: PlacedRating[] = []
    for (const rating of listed) {
      const until = Math.max(rating.until ?? Number.POSITIVE_INFINITY, rating.created_at)
      if (until < from || rating.created_at > to) continue
      const start = toPart(rating.created_at)
      const isMarked = start * widthPx >= free && start * widthPx <= widthPx - MARK_PX / 2
      if (isMarked) free = start * widthPx + MARK_PX
      const how = toEnd(rating)
      const isCut = rating.created_at < from
      placed.push({
        rating,
        symbol,
        row: rows.length,
        start,
        end: toPart(until),
        isCut,
        how,
        isMarked,
      })
    }
    if (placed.length > 0) rows.push({ symbol, ratings: placed })
  }
  return rows
}

function toEnd({ ended, until, created_at }: UserRating): RatingEnd {
  if (ended === null) return 'active'
  return ended === 'expired' && until !== null && until <= created_at ? 'never' : ended
}

const REACH_PX = 8

export function selectRatingAt(
  row: PlacedRow | undefined,
  xPx: number,
  widthPx: number,
): PlacedRating | null {
  const at = (part: number) => part * widthPx
  const distanceOf = ({ start, end }: PlacedRating) =>
    Math.max(0, at(start) - xPx, xPx - Math.max(at(end), at(start)))
  let nearest: PlacedRating | null = null
  for (const placed of row?.ratings ?? []) {
    // Of two that cover the place, the later one.
    if (nearest === null || distanceOf(placed) <= distanceOf(nearest)) nearest = placed
  }
  return nearest !== null && distanceOf(nearest) <= REACH_PX ? nearest : null
}

type LoadedRatings = {
  extent: Extent
  ratings: UserRatings
  found: number
}

export function selectShown(
  { data, meta }: UserRatingsAnswer,
  { range, rows }: Pick<UserView, 'range' | 'rows'>,
): LoadedRatings {
  const extent = toRatingsExtent(data, range, meta.as_of)
  const inRange = new Set(placeRatings(data, extent, 1).map((row) => row.symbol))
  const symbols = data.symbols.filter((row) => inRange.has(row.symbol))
  const shown = rows === 'all' ? symbols : symbols.slice(0, ROWS_FIRST)
  return { extent, ratings: { ...data, symbols: shown }, found: symbols.length }
}

export const AXIS_PX = 20
export const ROW_PX = 26
export const BAR_TOP_PX = 14
export const BAR_PX = 8
export const ROWS_FIRST = 12
export const RATINGS_PX = AXIS_PX + ROWS_FIRST * ROW_PX + 26

/** Null if the key is not handled. */
export function pressRatingKey(
  rows: readonly PlacedRow[],
  from: PlacedRating | null,
  key: string,
): PlacedRating | null {
  if (!KEYS.has(key)) return null
  const row = rows[from?.row ?? 0]?.ratings ?? []
  if (from === null) return row.at(key === 'Home' ? 0 : -1) ?? null
  const index = row.findIndex(({ rating }) => rating.id === from.rating.id)
  switch (key) {
    case 'ArrowLeft':
      return row[Math.max(0, index - 1)] ?? null
    case 'ArrowRight':
      return row[index + 1] ?? from
    case 'Home':
      return row.at(0) ?? null
    case 'End':
      return row.at(-1) ?? null
    default:
      return selectNearest(rows[from.row + (key === 'ArrowUp' ? -1 : 1)], from) ?? from
  }
}

const KEYS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'])

function selectNearest(row: PlacedRow | undefined, { rating }: PlacedRating): PlacedRating | null {
  const apart = (other: PlacedRating) => Math.abs(other.rating.created_at - rating.created_at)
  return (
    row?.ratings.reduce((nearest, other) => (apart(other) < apart(nearest) ? other : nearest)) ??
    null
  )
}

const isNever = ({ created_at, until, ended }: UserRating) =>
  ended === 'expired' && until !== null && until <= created_at

const END_TEXTS = {
  renewed: 'replaced by the next',
  expired: 'expired',
  vanished: 'no longer listed by the service',
} as const

/** `until 2024-08-02 14:30, renewed` */
export function toEndText(rating: UserRating, zone: string): string {
  const { until, ended } = rating
  if (isNever(rating)) return 'had expired before it was posted'
  if (until === null) return 'still active, no expiry'
  const end = toZonedText(until, zone)
  if (ended === null) return `still active, expires ${end}`
  return `until ${end}, ${END_TEXTS[ended]}`
}

export function toEndWord(rating: UserRating): string {
  if (isNever(rating)) return 'before it was posted'
  if (rating.ended === null) return 'active'
  return END_WORDS[rating.ended]
}

export function toRatingText(
  symbol: string,
  rating: UserRating,
  { zone }: { zone: string },
): string {
  const prediction = formatPrediction(rating.prediction)
  const from = toZonedText(rating.created_at, zone)
  const [name, action, label] = [symbol, rating.action_label, rating.rating_label].map(
    toVisibleText,
  )
  return `${name}: ${action}, ${label}, ${prediction}, posted ${from}, ${toEndText(rating, zone)}.`
}

type Summed = { userId: number; rows: readonly PlacedRow[]; from: number; to: number; zone: string }

export function toRatingsSummary({ userId, rows, from, to, zone }: Summed): string {
  const span = `between ${toZonedDay(from, zone)} and ${toZonedDay(to, zone)}`
  const all = rows.flatMap((row) => row.ratings)
  const [busiest] = [...rows].sort((a, b) => b.ratings.length - a.ratings.length)
  if (!busiest) return `User ${userId} has no rating ${span}.`
  const countOf = (how: string) => all.filter((placed) => placed.how === how).length
  const count = (how: string) => formatCount(countOf(how))
  const vanished = countOf('vanished') === 0 ? '' : ` ${count('vanished')} no longer listed,`
  return [
    `User ${userId}: ${formatCounted(all.length, 'rating')} on ${formatCounted(rows.length, 'symbol')} active ${span}.`,
    `${count('active')} still active, ${count('renewed')} replaced by the next rating, ${count('expired')} expired,${vanished} ${count('never')} had expired before they were posted.`,
    `Most on ${toVisibleText(busiest.symbol)}: ${formatCounted(busiest.ratings.length, 'rating')}.`,
  ].join(' ')
}

type Displayed = {
  userId: number
  ratings: UserRatings
  rows: readonly PlacedRow[]
  extent: Extent
  meta: Meta
}

export const RATINGS_RULE =
  'A rating counts from when it was posted to its expiry, the user’s next rating of the symbol, or the dump that no longer listed it, whichever is first. Gaps mean that the user had no active rating.'

const toShownText = (rows: readonly PlacedRow[], ratings: UserRatings) =>
  `Showing ${rows.length} of ${ratings.symbols_total} symbols; ${ratings.calls_total} ratings in all.`

/** Empty if all ratings are listed. */
export function toLimitText(ratings: UserRatings) {
  const listed = countListed(ratings)
  if (listed >= ratings.calls_total) return ''
  const symbols = `on the latest ${formatCounted(ratings.symbols.length, 'symbol')}`
  return isCutShort(ratings)
    ? `The latest ${formatCount(listed)} can be shown, ${symbols}; the time axis begins with the first of them.`
    : `${formatCount(listed)} can be shown, ${symbols}.`
}

export function toRatingsFacts({ userId, ratings, rows, extent, meta }: Displayed): ChartFacts {
  const days = [formatDay(extent.from), formatDay(extent.to)]
  return {
    title: `User ${userId}: ratings over time`,
    range: days.join(' to '),
    zone: 'UTC',
    rule: [RATINGS_RULE, toShownText(rows, ratings), toLimitText(ratings)].join(' ').trim(),
    asOf: meta.as_of,
    completeTo: meta.complete_to,
    nameParts: [`user-${userId}`, 'ratings', ...days],
    columns: [
      { name: 'id', kind: 'number' },
      { name: 'symbol', kind: 'text' },
      { name: 'action', kind: 'text' },
      { name: 'rating', kind: 'number' },
      { name: 'rating_label', kind: 'text' },
      { name: 'prediction', kind: 'number' },
      { name: 'created_at', kind: 'instant' },
      { name: 'until', kind: 'instant' },
      { name: 'ended', kind: 'text' },
    ],
    rows: rows.flatMap((row) =>
      row.ratings.map(({ rating, symbol }) => [
        rating.id,
        symbol,
        rating.action_label,
        rating.rating,
        rating.rating_label,
        rating.prediction,
        rating.created_at,
        rating.until,
        toEndWord(rating),
      ]),
    ),
  }
}
