import type { Discovery } from '#lib/contract/answers/status.ts'
import type { Rating } from '#lib/contract/rating.ts'
import type { ServicePage } from '#lib/upstream/upstream.ts'

/** Undocumented, so inferred from the rows. */
export type PageOrder = NonNullable<Discovery['order']>

/** `key` is null if no field determines the order. */
type Ordering = { order: PageOrder; key: string | null }

const AGREEING = 0.8
const TELLING_ROWS = 5

const STEADY = ['id', 'created_at'] as const
const OTHERS = [
  'tally_agree',
  'tally_disagree',
  'tally_comment',
  'expired_at',
  'rating',
  'user_id',
] as const

export const selectOrder = (page: ServicePage, known: PageOrder | null = null): PageOrder =>
  selectOrdering(page)?.order ?? known ?? 'newest'

/** Null if there are too few rows. */
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

export const isMovingKey = (key: string | null): boolean | null =>
  key === null ? null : !STEADY.some((steady) => steady === key)

const toTelling = (ratings: readonly Rating[], ordering: Ordering): Ordering | null =>
  ratings.length >= TELLING_ROWS ? ordering : null

type Steps = { rising: number; falling: number }

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

export const toRowKeys = ({ rows }: ServicePage): string[] => rows.map(toRowKey)

export const toPageKey = (page: ServicePage): string => toRowKeys(page).join('\n')

export const toHeadKey = ({ rows }: ServicePage): string => rows.slice(0, 1).map(toRowKey).join('')

const toRowKey = (row: ServicePage['rows'][number]): string =>
  row.ok ? String(row.rating.id) : row.raw
