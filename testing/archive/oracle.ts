import type { MoveKind } from '#lib/contract/moves.ts'
import type { Quality } from '#lib/contract/quality.ts'
import type { IncomingRating, Rating } from '#lib/contract/rating.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { EVERY_RATING, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import type { Chosen } from '#lib/contract/value-list.ts'

/** Exact: predictions are bigint millionths. */
export type OracleRow = Rating & {
  effectiveUntil: number
  nextAt: number | null
  previous_rating: number | null
  previous_prediction: string | null
  vanished_at: number | null
  /** The value of the rating that this one replaced. Null if none was active. */
  replaced: number | null
  isReplaced: boolean
  quality: Quality[]
}

export type Vanished = ReadonlyMap<number, number>

export function deriveRows(
  rows: readonly IncomingRating[],
  vanished: Vanished = new Map(),
): OracleRow[] {
  const last = new Map(rows.map((row) => [row.rating.id, row.rating]))
  const all = [...last.values()]
  const derived = all.map((row) => {
    const own = all
      .filter((other) => other.user_id === row.user_id && keyOf(other) === keyOf(row))
      .sort((a, b) => a.created_at - b.created_at || a.id - b.id)
    const position = own.indexOf(row)
    const [before, after] = [own[position - 1], own[position + 1]]
    const vanishedAt = vanished.get(row.id)
    const ends = [after?.created_at, row.expired_at || undefined, vanishedAt].filter(
      (end) => end !== undefined,
    )
    return {
      ...row,
      effectiveUntil: Math.min(Number.POSITIVE_INFINITY, ...ends),
      nextAt: after?.created_at ?? null,
      previous_rating: before?.rating ?? null,
      previous_prediction: before?.prediction ?? null,
      vanished_at: vanishedAt ?? null,
      quality: [...qualityOf(row, before), ...(vanishedAt === undefined ? [] : [GONE])],
    }
  })
  return derived.map((row) => {
    const lived = derived.filter(
      (other) =>
        other.user_id === row.user_id &&
        keyOf(other) === keyOf(row) &&
        other.effectiveUntil > other.created_at,
    )
    return {
      ...row,
      replaced: lived.find((other) => other.effectiveUntil === row.created_at)?.rating ?? null,
      isReplaced: lived.some((other) => other.created_at === row.effectiveUntil),
    }
  })
}

const GONE: Quality = 'vanished'

export const qualityAt = (row: OracleRow, at: number): Quality[] =>
  row.quality.filter((name) => name !== GONE || Number(row.vanished_at) <= at)

export const vanishedAt = ({ vanished_at: since }: OracleRow, at: number): number | null =>
  since !== null && since <= at ? since : null

function qualityOf(row: Rating, before: Rating | undefined): Quality[] {
  const value = millionths(row.prediction)
  const sides = before ? [before.rating, row.rating] : []
  const isFlip = sides.some((code) => code >= 4) && sides.some((code) => code <= 2)
  const isSoon = before !== undefined && row.created_at - before.created_at < 24 * 60 * 60
  const found: Record<Exclude<Quality, 'vanished'>, boolean> = {
    strong_buy_negative: row.rating === 5 && value < 0n,
    upgraded_false: row.action === 2 && !(before && before.rating < row.rating),
    initiated_twice: row.action === 1 && before !== undefined,
    expired_before_created: Boolean(row.expired_at) && Number(row.expired_at) <= row.created_at,
    extreme_prediction: value >= 100_000_000n || value <= -100_000_000n,
    flip_within_day: isFlip && isSoon,
  }
  return Object.entries(found).flatMap(([name, isIt]) => (isIt ? [name as Quality] : []))
}

export function toFields({ effectiveUntil: _, nextAt: _next, ...row }: OracleRow) {
  const { replaced: _replaced, isReplaced: _isReplaced, ...fields } = row
  return fields
}

export const keyOf = (row: { symbol: string }): string => toSymbolKey(row.symbol)

export const isActive = (row: OracleRow, at: number): boolean =>
  row.created_at <= at && at < row.effectiveUntil

export function stateOf(row: OracleRow, at: number): 'active' | 'expired' | null {
  if (row.effectiveUntil <= at) return 'expired'
  return row.created_at <= at ? 'active' : null
}

export function endedOf(row: OracleRow, at: number): 'expired' | 'vanished' | 'renewed' | null {
  const { expired_at, vanished_at, nextAt } = row
  const ends = [
    { what: 'expired' as const, at: expired_at || Number.POSITIVE_INFINITY },
    { what: 'vanished' as const, at: vanished_at ?? Number.POSITIVE_INFINITY },
    { what: 'renewed' as const, at: nextAt ?? Number.POSITIVE_INFINITY },
  ]
  const [first] = ends.filter((end) => end.at <= at).sort((a, b) => a.at - b.at)
  return first?.what ?? null
}

/** At most 6 places. */
export function millionths(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace(/^[+-]/, '').split('.')
  const size = BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'))
  return text.startsWith('-') ? -size : size
}

const fits = <T>({ only, not }: Chosen<T>, isIt: (value: T) => boolean): boolean =>
  (only.length === 0 || only.some(isIt)) && !not.some(isIt)

const isSame = (value: unknown) => (other: unknown) => other === value

const isDuring = (seconds: number) => (period: string) =>
  new Date(seconds * 1000).toISOString().startsWith(period)

function movesOf(row: OracleRow): { kind: MoveKind; t: number }[] {
  if (row.effectiveUntil <= row.created_at) return []
  const { replaced, effectiveUntil: until } = row
  const isFirst = row.previous_rating === null
  const change = replaced === null ? 0 : row.rating - replaced
  const taken = change > 0 ? 'upgraded' : change < 0 ? 'downgraded' : 'reiterated'
  const begun = replaced === null ? (isFirst ? 'initiated' : 'returned') : taken
  const isGone = row.vanished_at === until && row.expired_at !== until
  const end = { kind: isGone ? ('vanished' as const) : ('lapsed' as const), t: until }
  return [{ kind: begun, t: row.created_at }, ...(row.isReplaced ? [] : [end])]
}

const movedIn = (row: OracleRow, { moved_from: from, moved_to: to }: RatingsQuery, at: number) =>
  movesOf(row)
    .filter(({ t }) => t <= at && (from === null || t >= from) && (to === null || t < to))
    .map(({ kind }) => kind)

export function passes(row: OracleRow, asked: Partial<RatingsQuery>, at: number): boolean {
  const query = { ...EVERY_RATING, ...asked }
  const { from, to, asof, state } = query
  const { prediction_min: least, prediction_max: most } = query
  const { prediction_above: above, prediction_below: below } = query
  const value = millionths(row.prediction)
  const hasKinds = query.moved.only.length + query.moved.not.length > 0
  const hasSpan = query.moved_from !== null || query.moved_to !== null
  return (
    fits(query.id, isSame(row.id)) &&
    fits(query.symbol, isSame(keyOf(row))) &&
    fits(query.user, isSame(row.user_id)) &&
    fits(query.rating, isSame(row.rating)) &&
    fits(query.action, isSame(row.action)) &&
    fits(query.prediction, (text) => millionths(text) === value) &&
    fits(query.agree, isSame(row.tally_agree)) &&
    fits(query.disagree, isSame(row.tally_disagree)) &&
    fits(query.comments, isSame(row.tally_comment)) &&
    fits(query.created, isDuring(row.created_at)) &&
    fits(query.expires, (time) =>
      time === 'never'
        ? !row.expired_at
        : row.expired_at !== null && isDuring(row.expired_at)(time),
    ) &&
    fits(query.moved, (kind) => movedIn(row, query, asof ?? at).includes(kind)) &&
    (hasKinds || !hasSpan || movedIn(row, query, asof ?? at).length > 0) &&
    fits(query.quality, (name) => qualityAt(row, asof ?? at).includes(name)) &&
    (from === null || row.created_at >= from) &&
    (to === null || row.created_at < to) &&
    (asof === null || row.created_at <= asof) &&
    (least === null || value >= millionths(least)) &&
    (most === null || value <= millionths(most)) &&
    (above === null || value > millionths(above)) &&
    (below === null || value < millionths(below)) &&
    (state === null || stateOf(row, asof ?? at) === state)
  )
}

/** Bytewise, as DuckDB compares. */
export const compareText = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b))

type Value = string | number | bigint | null

/** Missing values last in both directions. */
export function compareBy<T>(
  keys: readonly [read: (row: T) => Value, direction: 'asc' | 'desc'][],
) {
  return (left: T, right: T): number => {
    for (const [read, direction] of keys) {
      const [a, b] = [read(left), read(right)]
      if (a === b) continue
      if (a === null) return 1
      if (b === null) return -1
      const order =
        typeof a === 'string' && typeof b === 'string' ? compareText(a, b) : a < b ? -1 : 1
      if (order !== 0) return direction === 'desc' ? -order : order
    }
    return 0
  }
}

export function sortRows(rows: readonly OracleRow[], { sort }: RatingsQuery): OracleRow[] {
  const read = (row: OracleRow) =>
    sort.column === 'prediction' ? millionths(row.prediction) : row[sort.column]
  return [...rows].sort(
    compareBy<OracleRow>([
      [read, sort.direction],
      [(row) => row.id, sort.direction],
    ]),
  )
}

export const pageOf = <T>(rows: readonly T[], query: { page: number; per_page: number }): T[] =>
  rows.slice((query.page - 1) * query.per_page, query.page * query.per_page)

/** Half away from zero. */
export function mean(values: readonly bigint[], places: number): string | null {
  if (values.length === 0) return null
  const sum = values.reduce((total, value) => total + value, 0n)
  const size = sum < 0n ? -sum : sum
  const divisor = BigInt(values.length) * 1_000_000n
  const scaled = size * 10n ** BigInt(places)
  const rounded = scaled / divisor + ((scaled % divisor) * 2n >= divisor ? 1n : 0n)
  const digits = rounded.toString().padStart(places + 1, '0')
  const text = `${digits.slice(0, -places)}.${digits.slice(-places)}`
  return sum < 0n && rounded > 0n ? `-${text}` : text
}

export const meanRating = (rows: readonly OracleRow[], places = 4): string | null =>
  mean(
    rows.map((row) => BigInt(row.rating) * 1_000_000n),
    places,
  )

export const meanPrediction = (rows: readonly OracleRow[], places = 4): string | null =>
  mean(
    rows.map((row) => millionths(row.prediction)),
    places,
  )

export function groupBy<K>(rows: readonly OracleRow[], read: (row: OracleRow) => K) {
  const groups = new Map<K, OracleRow[]>()
  for (const row of rows) groups.set(read(row), [...(groups.get(read(row)) ?? []), row])
  return groups
}

export const nameOf = (rows: readonly OracleRow[]): string =>
  rows.map((row) => row.symbol).sort(compareText)[0] ?? ''

export const newest = (rows: readonly OracleRow[]): number =>
  Math.max(...rows.map((row) => row.created_at))
