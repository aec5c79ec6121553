import { type Expression, expressionBuilder, type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import {
  consensusChange,
  type SymbolSums,
  selectSymbolSums,
  shrunkChange,
} from '#lib/archive/query/consensus.ts'
import { isActive } from '#lib/archive/query/rating-conditions.ts'
import { wilsonLow } from '#lib/archive/query/statistics.ts'
import type { ArchiveReader, ReadOptions } from '#lib/archive/reader.ts'
import type { Changes } from '#lib/contract/answers/changes.ts'
import { CONSENSUS_MIN } from '#lib/contract/answers/limits.ts'
import type { Movers } from '#lib/contract/answers/symbols.ts'
import { toMean, toWilsonLow } from '#lib/statistics/exact.ts'
import { toChange } from '#lib/timeline/standing.ts'

const MOVERS_SECONDS = 7 * 86_400
const MOVERS_LINES = 5

export async function selectMovers(
  reader: ArchiveReader,
  { at, signal }: ReadOptions,
): Promise<Movers> {
  const since = at - MOVERS_SECONDS
  const range = { at, since, lapsingBy: at, lines: MOVERS_LINES }
  const { moves } = await reader.read((db) => selectNotable(db, range), signal)
  return { since, moves }
}

/** Seconds since 1970. */
type NotableRange = { at: number; since: number; lapsingBy: number; lines: number }

type Notable = Pick<Movers, 'moves'> & Pick<Changes, 'contested' | 'lapsing'>

export async function selectNotable(db: Kysely<Tables>, range: NotableRange): Promise<Notable> {
  const lines = await selectNotableLines(db, range)
  const listed = (read: (line: NotableLine) => number | null) => {
    const place = (line: NotableLine) => read(line) ?? Number.POSITIVE_INFINITY
    return lines
      .filter((line) => place(line) <= range.lines)
      .sort((one, other) => place(one) - place(other))
  }
  return {
    moves: listed((line) => line.by_move)
      .map(toMove)
      .sort(byLargest),
    contested: listed((line) => line.by_disagreement).map(toContested),
    lapsing: listed((line) => line.by_expiring).map(toExpiring),
  }
}

const ZERO = '0.0000'

const byLargest = (a: Movers['moves'][number], b: Movers['moves'][number]) =>
  Math.abs(Number(b.change)) - Math.abs(Number(a.change))

function toMove(line: NotableLine): Movers['moves'][number] {
  const before = { active: line.active_before, sum: line.sum_before }
  const after = { active: line.active, sum: line.rating_sum }
  return {
    symbol: line.symbol,
    active: after.active,
    before: toMean(before.sum, before.active, 4) ?? ZERO,
    consensus: toMean(after.sum, after.active, 4) ?? ZERO,
    change: toChange(before, after) ?? ZERO,
  }
}

function toContested(line: NotableLine): Changes['contested'][number] {
  const agree = line.agree ?? 0
  const disagree = line.disagree ?? 0
  const low = toWilsonLow(disagree, agree + disagree) ?? ZERO
  return { symbol: line.symbol, agree, disagree, disagreement_low: low }
}

function toExpiring(line: NotableLine): Changes['lapsing'][number] {
  const { symbol, active, expiring } = line
  const left = (line.rating_sum ?? 0) - (line.expiring_sum ?? 0)
  return {
    symbol,
    active,
    lapsing: expiring,
    lapsing_low: toWilsonLow(expiring, active) ?? ZERO,
    consensus: toMean(line.rating_sum, active, 4) ?? ZERO,
    left: toMean(left, active - expiring, 4),
  }
}

type Tally = SymbolSums & {
  agree: number | null
  disagree: number | null
  expiring: number
  expiring_sum: number | null
}

/** From 1; null if not listed. */
type Places = Record<'by_move' | 'by_disagreement' | 'by_expiring', number | null>

type NotableLine = Tally & Places & { symbol: string }

const eb = expressionBuilder<
  { tally: Tally; symbol: Tables['symbol']; placed: NotableLine },
  'tally' | 'symbol' | 'placed'
>()

async function selectNotableLines(db: Kysely<Tables>, range: NotableRange): Promise<NotableLine[]> {
  const isListed = (place: keyof Places) => eb(place, '<=', range.lines)
  return await db
    .with('tally', () => selectTally(db, range))
    .with('placed', (cte) =>
      cte
        .selectFrom('tally')
        .innerJoin('symbol', 'symbol.symbol_key', 'tally.symbol_key')
        .selectAll('tally')
        .select('symbol.symbol')
        .select([
          place(NOTABLE.move).as('by_move'),
          place(NOTABLE.disagreement).as('by_disagreement'),
          place(NOTABLE.expiring).as('by_expiring'),
        ]),
    )
    .selectFrom('placed')
    .selectAll()
    .where(eb.or([isListed('by_move'), isListed('by_disagreement'), isListed('by_expiring')]))
    .execute()
}

function selectTally(db: Kysely<Tables>, { at, since, lapsingBy }: NotableRange) {
  const now = isActive(at)
  return selectSymbolSums(db, { at, before: since }).select((eb) => {
    const expiring = eb.and([now, eb('expired_at', '>', 0), eb('expired_at', '<=', lapsingBy)])
    return [
      eb.fn.sum<number | null>('tally_agree').filterWhere(now).as('agree'),
      eb.fn.sum<number | null>('tally_disagree').filterWhere(now).as('disagree'),
      eb.fn.countAll<number>().filterWhere(expiring).as('expiring'),
      eb.fn.sum<number | null>('rating').filterWhere(expiring).as('expiring_sum'),
    ]
  })
}

type Figure = Expression<number | null>

const BEFORE = { active: eb.ref('active_before'), sum: eb.ref('sum_before') }
const AFTER = { active: eb.ref('active'), sum: eb.ref('rating_sum') }

/** Null if the symbol does not qualify. */
const NOTABLE = {
  // Unshrunk, three ratings with one change would lead every week.
  move: sql<number | null>`
    case when ${consensusChange(BEFORE, AFTER)} <> 0 then abs(${shrunkChange(BEFORE, AFTER)}) end`,
  disagreement: sql<number | null>`
    case when disagree > 0
      then ${wilsonLow(sql<number>`disagree`, sql<number>`(agree + disagree)`)} end`,
  expiring: sql<number | null>`
    case when expiring > 0 and active >= ${sql.lit(CONSENSUS_MIN)}
      then ${wilsonLow(eb.ref('expiring'), eb.ref('active'))} end`,
}

const place = (figure: Figure) => sql<number | null>`
  case when ${figure} is not null
    then row_number() over (order by ${figure} desc nulls last, symbol.symbol) end`
