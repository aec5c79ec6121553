import { type RawBuilder, sql } from 'kysely'
import { hasQuality, qualityAt } from '#lib/archive/engine/tables.ts'
import { type BinEdges, predictionBin } from '#lib/archive/query/histogram-bins.ts'
import { type Asked, type FilterName, toConditions } from '#lib/archive/query/rating-conditions.ts'
import { QUALITIES } from '#lib/contract/quality.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { isAny } from '#lib/contract/value-list.ts'

/**
 * `codes`: rating, action, state and time together, without the filters of rating and action. `posted`: rating and time
 * together, without the filters of time. `state`: the rows in the state that is not chosen. `symbol` and `user`: the {@link TOP}.
 */
export type PartName = 'codes' | 'posted' | 'state' | 'symbol' | 'user' | 'prediction' | 'quality'

/** How many rows have the same values. Columns that a part does not use are 0 or empty. */
export type CountLine = {
  part: PartName
  rating: number
  action: number
  /** 1 is active, 2 is expired, 0 is yet to be posted. */
  state: number
  /** Of `codes` the bin of time, of `user` the user, of `quality` the bits of the lenses. */
  value: number
  /**
   * Of `symbol` the symbol as it is compared, of `prediction` the lower edge of the bin as decimal text, of `posted` bins
   * with their counts: `0:12 3:1`.
   */
  key: string
  /** Of `symbol` the symbol as ratings spell it. */
  name: string
  /** Of `symbol` and `user` how many there are before the limit. */
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

/** The rows that a part counts: a table, and the filters that its rows have passed already. */
export type Source = { table: RawBuilder<unknown>; passed: readonly FilterName[] }

export type Part = { name: PartName; select(source: Source): RawBuilder<unknown> }

/** How many symbols and users a facet names beside the chosen ones. */
const TOP = 20

/** What counts all facets of a query. */
export function toParts(asked: Asked, { created: posted, prediction }: BinEdges): Part[] {
  const { query } = asked
  const bin = posted
    ? sql`(created_at - ${sql.lit(posted.start)}) // ${sql.lit(posted.width)}`
    : sql.lit(0)
  const parts = [
    toCodes(asked, isDated(query) ? sql.lit(0) : bin),
    toTopSymbols(asked),
    toTopUsers(asked),
    toLenses(asked),
  ]
  if (isDated(query)) parts.push(toPosted(asked, bin))
  if (query.state !== null) parts.push(toOtherState(asked))
  if (prediction) parts.push(toPredictions(asked, predictionBin(prediction)))
  return parts
}

/** Whether time is filtered: then `posted` is counted, and `codes` knows no bins. */
export const isDated = ({ created, from, to }: RatingsQuery): boolean =>
  !isAny(created) || from !== null || to !== null

/** A part from the columns of its own query. Its rows keep their order. */
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

/** The rows of a source that pass a query's filters, all but those `without`. */
const passing = ({ table, passed }: Source, asked: Asked, ...without: readonly FilterName[]) =>
  sql`${table} where ${toConditions(asked, ...without, ...passed)}`

/** Codes as integers of a known range: the database counts those in an array. */
const toCodes = (asked: Asked, bin: RawBuilder<unknown>): Part => {
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

/** One line per rating, few enough to be kept: questions that differ in nothing but time have the same. */
const toPosted = (asked: Asked, bin: RawBuilder<unknown>): Part =>
  toPart(
    'posted',
    ['rating', 'key'],
    (source) => sql`
      select rating, string_agg(bin || ':' || count, ' ') as key, cast(sum(count) as bigint) as count
      from (
        select rating, ${bin} as bin, count(*) as count from ${passing(source, asked, 'created')}
        group by rating, bin
      ) group by rating`,
  )

const toOtherState = (asked: Asked): Part => {
  const state = asked.query.state === 'active' ? 'expired' : 'active'
  const other = { ...asked, query: { ...asked.query, state } } as const
  return toPart(
    'state',
    [],
    (source) => sql`select count(*) as count from ${passing(source, other)}`,
  )
}

const toTopSymbols = (asked: Asked): Part =>
  toPart(
    'symbol',
    ['key', 'name', 'distinct'],
    (source) => sql`
      select symbol_key as key, symbol as name, count, count(*) over () as "distinct"
      from (
        select symbol_key, count(*) as count from ${passing(source, asked, 'symbol')}
        group by symbol_key
      ) join symbol using (symbol_key)
      order by count desc, name limit ${sql.lit(TOP)}`,
  )

const toTopUsers = (asked: Asked): Part =>
  toPart(
    'user',
    ['value', 'distinct'],
    (source) => sql`
      select user_id as value, count(*) as count, count(*) over () as "distinct"
      from ${passing(source, asked, 'user')}
      group by user_id order by count desc, value limit ${sql.lit(TOP)}`,
  )

const toPredictions = (asked: Asked, bin: RawBuilder<unknown>): Part =>
  toPart(
    'prediction',
    ['key'],
    (source) => sql`
      select cast(edge as text) as key, count from (
        select ${bin} as edge, count(*) as count from ${passing(source, asked, 'prediction')}
        group by edge
      )`,
  )

/** One row may fall under several lenses. */
const toLenses = (asked: Asked): Part => {
  const at = asked.query.asof ?? asked.at
  return toPart(
    'quality',
    ['value'],
    (source) => sql`
      select ${qualityAt(at)} as value, count(*) as count
      from ${passing(source, asked, 'quality')} and ${hasQuality(QUALITIES, at)} group by value`,
  )
}
