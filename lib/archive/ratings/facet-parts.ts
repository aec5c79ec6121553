import { type RawBuilder, sql } from 'kysely'
import { hasQuality, qualityAt } from '#lib/archive/engine/tables.ts'
import { type BinEdges, predictionBin } from '#lib/archive/query/histogram-bins.ts'
import { selectCountedFilters } from '#lib/contract/lists/define-list.ts'
import { ratingList } from '#lib/contract/lists/ratings.ts'
import { QUALITIES } from '#lib/contract/quality.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { isAny } from '#lib/contract/value-list.ts'
import {
  isRatingField,
  type QueryAt,
  type RatingField,
  toConditions,
  toRatingKey,
} from './rating-source.ts'

/** `TOPS`: by the name of their filter. */
export type PartName = 'codes' | 'posted' | 'state' | 'prediction' | 'quality' | `top ${string}`

/** The values of these fields are counted, the most frequent ones first. */
export const TOPS = selectCountedFilters(ratingList).flatMap(({ field, name, plural }) => {
  if (!isRatingField(field)) return []
  const isText = ratingList.fields[field].type === 'text'
  return [{ part: `top ${name}` as const, field, name, plural, isText }]
})
export type Top = (typeof TOPS)[number]

export type CountLine = {
  part: PartName
  rating: number
  action: number
  /** 1 active, 2 expired, 0 not yet posted. */
  state: number
  /** `codes`: time bin; `quality`: bit mask; of tops: numbers. */
  value: number
  /** `prediction`: lower bin edge; `posted`: `0:12 3:1`, bins and counts; of tops: text. */
  key: string
  name: string
  distinct: number
  count: number
}

const COLUMNS = [
  ['rating', 0],
  ['action', 0],
  ['state', 0],
  ['value', 0],
  ['key', ''],
  ['name', ''],
  ['distinct', 0],
] as const

type Column = (typeof COLUMNS)[number][0]

export type Source = { table: RawBuilder<unknown>; passed: readonly RatingField[] }

export type Part = { name: PartName; select(source: Source): RawBuilder<unknown> }

const TOP = 20

export function toParts(asked: QueryAt, { created: posted, prediction }: BinEdges): Part[] {
  const { query } = asked
  const bin = posted
    ? sql`(created_at - ${sql.lit(posted.start)}) // ${sql.lit(posted.width)}`
    : sql.lit(0)
  const parts = [
    toCodes(asked, isDated(query) ? sql.lit(0) : bin),
    ...TOPS.map((top) => toTop(asked, top)),
    toLenses(asked),
  ]
  if (isDated(query)) parts.push(toPosted(asked, bin))
  if (query.state !== null) parts.push(toOtherState(asked))
  if (prediction) parts.push(toPredictions(asked, predictionBin(prediction)))
  return parts
}

export const isDated = ({ created, from, to }: RatingsQuery): boolean =>
  !isAny(created) || from !== null || to !== null

const toPart = (
  name: PartName,
  columns: readonly Column[],
  counted: (source: Source) => RawBuilder<unknown>,
): Part => ({
  name,
  select: (source) => sql`
    select ${sql.lit(name)} as part, ${sql.join(
      COLUMNS.map(([column, blank]) =>
        columns.includes(column) ? sql.ref(column) : sql`${sql.lit(blank)} as ${sql.ref(column)}`,
      ),
    )}, count
    from (${counted(source)}) as counted`,
})

const passing = ({ table, passed }: Source, asked: QueryAt, ...without: readonly RatingField[]) =>
  sql`${table} where ${toConditions(asked, ...without, ...passed)}`

/** Integers of a known range are counted in an array. */
const toCodes = (asked: QueryAt, bin: RawBuilder<unknown>): Part => {
  const at = sql.lit(asked.query.asof ?? asked.at)
  return toPart(
    'codes',
    ['rating', 'action', 'state', 'value'],
    (source) => sql`
      select rating, action, ${bin} as value, count(*) as count,
        case when effective_until <= ${at} then 2 when created_at <= ${at} then 1 else 0 end as state
      from ${passing(source, asked, 'rating', 'action')} group by rating, action, state, value`,
  )
}

const toPosted = (asked: QueryAt, bin: RawBuilder<unknown>): Part =>
  toPart(
    'posted',
    ['rating', 'key'],
    (source) => sql`
      select rating, string_agg(bin || ':' || count, ' ') as key, cast(sum(count) as bigint) as count
      from (
        select rating, ${bin} as bin, count(*) as count from ${passing(source, asked, 'created_at')}
        group by rating, bin
      ) group by rating`,
  )

const toOtherState = (asked: QueryAt): Part => {
  const state = asked.query.state === 'active' ? 'expired' : 'active'
  const other = { ...asked, query: { ...asked.query, state } } as const
  return toPart(
    'state',
    [],
    (source) => sql`select count(*) as count from ${passing(source, other)}`,
  )
}

const toTop = (asked: QueryAt, { part, field, isText }: Top): Part =>
  toPart(
    part,
    isText ? ['key', 'name', 'distinct'] : ['value', 'distinct'],
    (source) => sql`
      select ${isText ? sql`key, ${nameOf(field)} as name` : sql`key as value`},
        count, count(*) over () as "distinct"
      from (
        select ${toRatingKey(field)} as key, count(*) as count from ${passing(source, asked, field)}
        group by key
      ) ${field === 'symbol' ? sql`join symbol on symbol_key = key` : sql``}
      order by count desc, ${isText ? sql`name` : sql`value`} limit ${sql.lit(TOP)}`,
  )

/** Symbols are shown as the service spells them. */
const nameOf = (field: RatingField) => (field === 'symbol' ? sql`symbol` : sql`key`)

const toPredictions = (asked: QueryAt, bin: RawBuilder<unknown>): Part =>
  toPart(
    'prediction',
    ['key'],
    (source) => sql`
      select cast(edge as text) as key, count from (
        select ${bin} as edge, count(*) as count from ${passing(source, asked, 'prediction')}
        group by edge
      )`,
  )

const toLenses = (asked: QueryAt): Part => {
  const at = asked.query.asof ?? asked.at
  return toPart(
    'quality',
    ['value'],
    (source) => sql`
      select ${qualityAt(at)} as value, count(*) as count
      from ${passing(source, asked, 'quality')} and ${hasQuality(QUALITIES, at)} group by value`,
  )
}
