import { type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { BeforeChanges } from '#lib/contract/answers/attention.ts'
import { createRandom } from '#lib/statistics/random.ts'

const DAY = 86_400
const WEEK = 7 * DAY
const USUAL = 28 * DAY
const WEEKS = 4

type SymbolRatio = {
  direction: 'up' | 'down'
  is_placebo: boolean
  changes: number
  ratio: number
}

/** Seconds; excludes `end`. */
type LookupsCoverage = { from: number; end: number }

/** Knuth's multiplicative hash. */
const SCATTER = 2_654_435_761
const SPAN = 4_294_967_296

/**
 * Changes need 35 known days and one look-up a week before them. Each gets a placebo: a random
 * instant of the same symbol, derived from its id.
 */
export async function selectRatios(
  db: Kysely<Tables>,
  { from, end }: LookupsCoverage,
): Promise<SymbolRatio[]> {
  const first = from + USUAL + WEEK
  if (first >= end) return []
  const { rows } = await sql<SymbolRatio>`
    with change as (
      select rating.id, symbol_no, rating.created_at as happened,
        case when rating > previous_rating then 'up' else 'down' end as direction
      from rating join lookups.symbol as named on named.symbol = rating.symbol_key
      where rating <> previous_rating and rating.created_at >= ${sql.lit(first)}
        and rating.created_at < ${sql.lit(end)}
    ),
    instant as (
      select id, symbol_no, direction, false as is_placebo, happened as moment from change
      union all
      select id, symbol_no, direction, true as is_placebo,
        ${sql.lit(first)} + cast(
          (cast(id as hugeint) * ${sql.lit(SCATTER)} % ${sql.lit(SPAN)} + ${sql.lit(SPAN)}) % ${sql.lit(SPAN)}
            * ${sql.lit(end - first)} // ${sql.lit(SPAN)} as bigint) as moment
      from change
    ),
    edge as (
      select id, symbol_no, direction, is_placebo, unnest([0, 1, 2]) as nth,
        unnest([moment, moment - ${sql.lit(WEEK)}, moment - ${sql.lit(WEEK + USUAL)}]) as moment
      from instant
    ),
    -- Of look-ups of one second each knows all: which of them is found does not matter.
    running as (
      select symbol_no, created_at,
        count(*) over (partition by symbol_no order by created_at range unbounded preceding) as so_far
      from lookups.lookup where symbol_no in (select symbol_no from change)
    ),
    placed as (
      select edge.id, edge.symbol_no, direction, is_placebo, nth, coalesce(so_far, 0) as so_far
      from edge asof left join running
        on running.symbol_no = edge.symbol_no and edge.moment > running.created_at
    ),
    counted as (
      select symbol_no, direction, is_placebo,
        max(so_far) filter (where nth = 0) - max(so_far) filter (where nth = 1) as week,
        max(so_far) filter (where nth = 1) - max(so_far) filter (where nth = 2) as usual
      from placed group by id, symbol_no, direction, is_placebo
    )
    select direction, is_placebo, count(*) as changes,
      median(cast(week as double) * ${sql.lit(WEEKS)} / usual) as ratio
    from counted where usual >= ${sql.lit(WEEKS)}
    group by symbol_no, direction, is_placebo order by symbol_no, direction, is_placebo`.execute(db)
  return rows
}

const DRAWS = 2000
const SYMBOLS_LEAST = 5
const SEED = 20_260_101

export function toBeforeChanges(
  ratios: readonly SymbolRatio[],
  direction: SymbolRatio['direction'],
): BeforeChanges {
  const own = ratios.filter((one) => one.direction === direction)
  const changed = own.filter(({ is_placebo }) => !is_placebo)
  const real = toMedianRatio(changed.map(({ ratio }) => ratio))
  const placebo = toMedianRatio(
    own.filter(({ is_placebo }) => is_placebo).map(({ ratio }) => ratio),
  )
  return {
    changes: changed.reduce((sum, { changes }) => sum + changes, 0),
    symbols: changed.length,
    ...toTexts(real),
    placebo: toTexts(placebo),
    is_told: isTold(real, placebo),
  }
}

type MedianRatio = { median: number; low: number; high: number }

/** Bootstrap: 95% interval. */
export function toMedianRatio(ratios: readonly number[]): MedianRatio | null {
  if (ratios.length < SYMBOLS_LEAST) return null
  const random = createRandom(SEED)
  const drawn = Array.from({ length: DRAWS }, () =>
    medianOf(ratios.map(() => ratios[Math.floor(random() * ratios.length)] ?? 0)),
  ).sort(byValue)
  const at = (share: number) => drawn[Math.floor(share * (DRAWS - 1))] ?? 0
  return { median: medianOf([...ratios]), low: at(0.025), high: at(0.975) }
}

const byValue = (a: number, b: number) => a - b

function medianOf(values: number[]): number {
  const sorted = values.sort(byValue)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
}

const toTexts = (found: MedianRatio | null) => ({
  median: found?.median.toFixed(2) ?? null,
  low: found?.low.toFixed(2) ?? null,
  high: found?.high.toFixed(2) ?? null,
})

function isTold(real: MedianRatio | null, placebo: MedianRatio | null): boolean {
  if (!real || !placebo) return false
  const isAbove = real.low > 1 && real.low > placebo.high
  const isBelow = real.high < 1 && real.high < placebo.low
  return isAbove || isBelow
}
