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
import {
  CONSENSUS_MIN,
  OVERVIEW_CLIFF_DAYS,
  OVERVIEW_LINES,
  OVERVIEW_SECONDS,
} from '#lib/contract/answers/limits.ts'
import type { Overview } from '#lib/contract/answers/symbols.ts'
import { toMean, toWilsonLow } from '#lib/statistics/exact.ts'
import { toChange } from '#lib/timeline/standing.ts'

export async function selectOverview(
  reader: ArchiveReader,
  { at, signal }: ReadOptions,
): Promise<Overview> {
  const since = at - OVERVIEW_SECONDS
  const lapsingBy = at + OVERVIEW_CLIFF_DAYS * DAY_SECONDS
  const asked = { at, since, lapsingBy, lines: OVERVIEW_LINES }
  return { since, ...(await reader.read((db) => selectNotable(db, asked), signal)) }
}

/** Seconds since 1970. */
export type NotableRange = { at: number; since: number; lapsingBy: number; lines: number }

export async function selectNotable(
  db: Kysely<Tables>,
  asked: NotableRange,
): Promise<Omit<Overview, 'since'>> {
  const lines = await selectNotableLines(db, asked)
  const listed = (read: (line: NotableLine) => number | null) => {
    const place = (line: NotableLine) => read(line) ?? Number.POSITIVE_INFINITY
    return lines
      .filter((line) => place(line) <= asked.lines)
      .sort((one, other) => place(one) - place(other))
  }
  return {
    upgraded: listed((line) => line.by_upgraded).map((line) => ({
      symbol: line.symbol,
      count: line.upgraded,
    })),
    downgraded: listed((line) => line.by_downgraded).map((line) => ({
      symbol: line.symbol,
      count: line.downgraded,
    })),
    moves: listed((line) => line.by_move)
      .map(toMove)
      .sort(byLargest),
    newest: listed((line) => line.by_first).map((line) => ({
      symbol: line.symbol,
      first_created_at: line.first_created_at,
      ratings: line.ratings,
    })),
    contested: listed((line) => line.by_disagreement).map(toContested),
    cliffs: listed((line) => line.by_expiring).map(toCliff),
  }
}

const ZERO = '0.0000'

const byLargest = (a: Overview['moves'][number], b: Overview['moves'][number]) =>
  Math.abs(Number(b.change)) - Math.abs(Number(a.change))

function toMove(line: NotableLine): Overview['moves'][number] {
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

function toContested(line: NotableLine): Overview['contested'][number] {
  const agree = line.agree ?? 0
  const disagree = line.disagree ?? 0
  const low = toWilsonLow(disagree, agree + disagree) ?? ZERO
  return { symbol: line.symbol, agree, disagree, disagreement_low: low }
}

function toCliff(line: NotableLine): Overview['cliffs'][number] {
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

const DAY_SECONDS = 86_400
const UPGRADED = 2
const DOWNGRADED = 3

type Tally = SymbolSums & {
  upgraded: number
  downgraded: number
  agree: number | null
  disagree: number | null
  expiring: number
  expiring_sum: number | null
}

/** From 1; null if not listed. */
type Places = Record<
  'by_upgraded' | 'by_downgraded' | 'by_move' | 'by_first' | 'by_disagreement' | 'by_expiring',
  number | null
>

type NotableLine = Tally & Places & { symbol: string }

const eb = expressionBuilder<
  { tally: Tally; symbol: Tables['symbol']; placed: NotableLine },
  'tally' | 'symbol' | 'placed'
>()

async function selectNotableLines(db: Kysely<Tables>, asked: NotableRange): Promise<NotableLine[]> {
  const isListed = (place: keyof Places) => eb(place, '<=', asked.lines)
  return await db
    .with('tally', () => selectTally(db, asked))
    .with('placed', (cte) =>
      cte
        .selectFrom('tally')
        .innerJoin('symbol', 'symbol.symbol_key', 'tally.symbol_key')
        .selectAll('tally')
        .select('symbol.symbol')
        .select([
          place(NOTABLE.upgraded).as('by_upgraded'),
          place(NOTABLE.downgraded).as('by_downgraded'),
          place(NOTABLE.move).as('by_move'),
          place(eb.ref('first_created_at')).as('by_first'),
          place(NOTABLE.disagreement).as('by_disagreement'),
          place(NOTABLE.expiring).as('by_expiring'),
        ]),
    )
    .selectFrom('placed')
    .selectAll()
    .where(
      eb.or([
        isListed('by_upgraded'),
        isListed('by_downgraded'),
        isListed('by_move'),
        isListed('by_first'),
        isListed('by_disagreement'),
        isListed('by_expiring'),
      ]),
    )
    .execute()
}

function selectTally(db: Kysely<Tables>, { at, since, lapsingBy }: NotableRange) {
  const now = isActive(at)
  return selectSymbolSums(db, { at, before: since }).select((eb) => {
    const labelled = (code: number) =>
      eb.and([eb('action', '=', code), eb('created_at', '>=', since)])
    const expiring = eb.and([now, eb('expired_at', '>', 0), eb('expired_at', '<=', lapsingBy)])
    return [
      eb.fn.countAll<number>().filterWhere(labelled(UPGRADED)).as('upgraded'),
      eb.fn.countAll<number>().filterWhere(labelled(DOWNGRADED)).as('downgraded'),
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
  upgraded: sql<number | null>`nullif(upgraded, 0)`,
  downgraded: sql<number | null>`nullif(downgraded, 0)`,
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
