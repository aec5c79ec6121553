import type { Discovery } from '#lib/contract/answers/status.ts'
import type { Rating } from '#lib/contract/rating.ts'
import type { ServicePage } from '#lib/upstream/upstream.ts'

/**
 * How a service lists its ratings: the newest on page 1, the oldest on page 1, or neither. The specification does not
 * say, so it is read from the rows.
 */
export type PageOrder = NonNullable<Discovery['order']>

/** An order and the field that makes it; null where no field does. */
export type Ordering = { order: PageOrder; key: string | null }

/** Of so many neighbours a share must agree; a few rows posted out of turn change nothing. */
const AGREEING = 0.8
/** With fewer rows a page says nothing of its order. */
const TELLING_ROWS = 5

/** Fields that stand still while a rating is listed. */
const STEADY = ['id', 'created_at'] as const
/** Fields that a list without an order of time may be in order of. */
const OTHERS = [
  'tally_agree',
  'tally_disagree',
  'tally_comment',
  'expired_at',
  'rating',
  'user_id',
] as const

/** The order of one page's rows, by id or by time. Too few rows say nothing: then it is as `known`. */
export const selectOrder = (page: ServicePage, known: PageOrder | null = null): PageOrder =>
  selectOrdering(page)?.order ?? known ?? 'newest'

/** The order of one page's rows and the field that makes it; null where they are too few to tell. */
export function selectOrdering(page: ServicePage): Ordering | null {
  const ratings = toRatings(page)
  const steps = STEADY.map((key) => ({ key, ...countSteps(ratings.map((row) => row[key])) }))
  const byTrust = [...steps].sort((a, b) => toBreaks(a) - toBreaks(b))
  for (const { key, rising, falling } of byTrust) {
    const moves = rising + falling
    if (moves === 0) continue
    if (falling / moves >= AGREEING) return toTelling(ratings, { order: 'newest', key })
    if (rising / moves >= AGREEING) return toTelling(ratings, { order: 'oldest', key })
  }
  return toTelling(ratings, { order: 'none', key: selectOtherKey(ratings) })
}

/** Whether the field that a list is in order of changes, so that its rows move. */
export const isMovingKey = (key: string | null): boolean | null =>
  key === null ? null : !STEADY.some((steady) => steady === key)

const toTelling = (ratings: readonly Rating[], ordering: Ordering): Ordering | null =>
  ratings.length >= TELLING_ROWS ? ordering : null

type Steps = { rising: number; falling: number }

/** Neighbours that are equal count for neither. */
function countSteps(values: readonly (number | null)[]): Steps {
  const moves = values.slice(1).map((value, index) => (value ?? 0) - (values[index] ?? 0))
  return {
    rising: moves.filter((move) => move > 0).length,
    falling: moves.filter((move) => move < 0).length,
  }
}

const toBreaks = ({ rising, falling }: Steps): number => Math.min(rising, falling)

function selectOtherKey(ratings: readonly Rating[]): string | null {
  const sorted = OTHERS.map((key) => ({ key, ...countSteps(ratings.map((row) => row[key])) }))
    .filter((steps) => toBreaks(steps) === 0 && steps.rising + steps.falling >= 2)
    .sort((a, b) => b.rising + b.falling - (a.rising + a.falling))
  return sorted[0]?.key ?? null
}

export const toRatings = ({ rows }: ServicePage): Rating[] =>
  rows.flatMap((row) => (row.ok ? [row.rating] : []))

export const toIds = (page: ServicePage): number[] => toRatings(page).map(({ id }) => id)

/** What tells two pages apart: the ids in their order, the text of what is no rating. */
export const toPageKey = ({ rows }: ServicePage): string => rows.map(toRowKey).join('\n')

/** What tells the first row of a page from any other; empty where there is none. */
export const toHeadKey = ({ rows }: ServicePage): string => rows.slice(0, 1).map(toRowKey).join('')

const toRowKey = (row: ServicePage['rows'][number]): string =>
  row.ok ? String(row.rating.id) : row.raw

/**
 * Whether an address without number shows page 1, or the page before it, so that the service numbers from 0. `first` is
 * page 1 as it was just read. One request, and a second where it is not page 1.
 */
export async function selectFirstPage(
  first: ServicePage,
  read: (page: 1 | 'default') => Promise<ServicePage>,
): Promise<0 | 1> {
  const unnumbered = await read('default')
  if (unnumbered.rows.length === 0 || isOnTop(first, unnumbered)) return 1
  if (first.rows.length === 0) return 0
  // A page of new rows may have come in between: then page 1 begins by now as the page without number did.
  const again = await read(1)
  return isOnTop(unnumbered, again) || !isBefore(unnumbered, again) ? 1 : 0
}

/** Whether a page's first row stands in the upper half of another page. */
function isOnTop(page: ServicePage, other: ServicePage): boolean {
  const [top] = toIds(page)
  const index = top === undefined ? -1 : toIds(other).indexOf(top)
  return index >= 0 && index * 2 <= other.rows.length
}

/** Whether one page goes before another in the order that the other is in. */
function isBefore(page: ServicePage, other: ServicePage): boolean {
  const { order, key } = selectOrdering(other) ?? { order: 'newest', key: 'id' }
  if (order === 'none') return true
  const name = key === 'created_at' ? 'created_at' : 'id'
  const [first, second] = [page, other].map((of) => toRatings(of).map((row) => row[name]))
  if (!first || !second) return false
  return order === 'newest'
    ? Math.max(...first) > Math.max(...second)
    : Math.min(...first) < Math.min(...second)
}
