import type { AttentionOverviewAnswer } from '#lib/contract/answers/attention.ts'
import type { MovesAnswer } from '#lib/contract/answers/moves.ts'
import type { CompareAnswer, OpinionAnswer, SeriesAnswer } from '#lib/contract/answers/opinion.ts'
import type { FollowedAnswer, PricesAnswer } from '#lib/contract/answers/prices.ts'
import type { Asked } from '#lib/contract/answers/questions.ts'
import type {
  AggregateAnswer,
  LeagueAttention,
  OverviewAnswer,
  SymbolsPage,
} from '#lib/contract/answers/symbols.ts'
import {
  aggregateQuery,
  asofQuery,
  compareQuery,
  movesQuery,
  nearSymbolsQuery,
  seriesQuery,
  trackQuery,
} from '#lib/contract/api-queries.ts'
import { AppError } from '#lib/contract/faults.ts'
import { toHorizon } from '#lib/contract/horizons.ts'
import { readSymbol } from '#lib/contract/query-parameters.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { kept } from './endpoint.ts'
import { readParameters, toBadRequest, toMeta, toPageInfo, toPast } from './respond.ts'

/** The league table of symbols, and their typeahead. */
export const answerSymbols = kept(
  'symbols',
  async (deps, { params, signal }): Promise<SymbolsPage> => {
    const query = readParameters(nearSymbolsQuery, params)
    const at = query.asof ?? deps.now()
    const named = deps.names.find(query.q)
    const lookups = await deps.archive.attention.selectSymbols({ at, signal })
    const asked = { ...query, named, lookups }
    const { rows, total } = await deps.archive.selectSymbols(asked, { at, signal })
    const data = rows.map(({ symbol, ...row }) => ({
      ...{ symbol, name: deps.names.of(symbol), ...row },
      ...toLeagueAttention(lookups, symbol),
    }))
    const page = toPageInfo(query, total)
    return { success: true, code: 200, data, page, meta: toMeta(deps, at) }
  },
)

/** A symbol that nobody looked up has none; where nothing is known of look-ups, that is not known either. */
function toLeagueAttention(
  lookups: ReadonlyMap<string, LeagueAttention> | null,
  symbol: string,
): LeagueAttention {
  if (lookups === null) return UNKNOWN
  return lookups.get(toSymbolKey(symbol)) ?? NEVER
}

const UNKNOWN = { lookups_7d: null, lookups_30d: null, lookups_share: null, is_busy: null }
const NEVER = { lookups_7d: 0, lookups_30d: 0, lookups_share: '0.000000', is_busy: false }

/** What look-ups say of symbols beside their ratings. */
export const answerAttentionOverview = kept(
  'attentionOverview',
  async (deps, { params, signal }): Promise<AttentionOverviewAnswer> => {
    const at = toPast(readParameters(asofQuery, params).asof, deps.now())
    const data = await deps.archive.attention.selectOverview({ at, signal })
    return { success: true, code: 200, data, meta: toMeta(deps, at) }
  },
)

/** A symbol's aggregate at the end of a day, or now. */
export const answerSymbol = kept(
  'symbol',
  async (deps, { params, parts, signal }): Promise<AggregateAnswer> => {
    const symbol = selectSymbol(parts)
    const { date } = readParameters(aggregateQuery, params)
    const at = deps.now()
    const found = await deps.archive.selectAggregate(symbol, date, { at, signal })
    if (!found) throw neverRated(null)
    const { day, ...aggregate } = found.aggregate
    return {
      success: true,
      code: 200,
      data: { day, ...aggregate, name: deps.names.of(aggregate.symbol) },
      meta: {
        ...toMeta(deps, at),
        ratings: found.ratings,
        users: found.users,
        first_created_at: found.firstCreatedAt,
        last_created_at: found.lastCreatedAt,
      },
    }
  },
)

/** What the community thinks of a symbol. */
export const answerOpinion = kept(
  'opinion',
  async (deps, { params, parts, signal }): Promise<OpinionAnswer> => {
    const symbol = selectSymbol(parts)
    const { asof } = readParameters(asofQuery, params)
    const at = asof ?? deps.now()
    const data = await deps.archive.selectOpinion(symbol, { at, signal })
    if (!data) throw neverRated(asof)
    return { success: true, code: 200, data, meta: toMeta(deps, at) }
  },
)

/** A symbol's consensus over time. */
export const answerSeries = kept(
  'series',
  async (deps, { params, parts, signal }): Promise<SeriesAnswer> => {
    const symbol = selectSymbol(parts)
    const query = readParameters(seriesQuery, params)
    const at = toPast(query.asof, deps.now())
    const data = await deps.archive.selectSeries(symbol, query, { at, signal })
    if (!data) throw neverRated(query.asof)
    return { success: true, code: 200, data, meta: toMeta(deps, at) }
  },
)

/** Why a symbol's consensus moved: by default in the 90 days before now, or before the instant that all is judged at. */
export const answerMoves = kept(
  'moves',
  async (deps, { params, parts, signal }): Promise<MovesAnswer> => {
    const symbol = selectSymbol(parts)
    const query = readParameters(movesQuery, params)
    const at = toPast(query.asof, deps.now())
    const to = Math.min(query.to ?? at, at)
    const from = query.from ?? to - MOVES_DAYS * DAY_SECONDS
    if (from >= to) throw toBadRequest([{ parameter: 'from', message: 'is not before to' }])
    const data = await deps.archive.selectMoves({ symbol, from, to }, { at, signal })
    if (!data) throw neverRated(query.asof)
    return { success: true, code: 200, data, meta: toMeta(deps, at) }
  },
)

/** A symbol's closes, in the buckets of its series. */
export const answerPrices = kept(
  'prices',
  async (deps, { params, parts, signal }): Promise<PricesAnswer> => {
    const symbol = selectSymbol(parts)
    const query = readParameters(seriesQuery, params)
    const at = toPast(query.asof, deps.now())
    const data = await deps.archive.records.selectPrices({ symbol, query }, { at, signal })
    if (!data) throw neverRated(query.asof)
    return { success: true, code: 200, data, meta: toMeta(deps, at) }
  },
)

/** What followed a symbol's consensus. */
export const answerFollowed = kept(
  'followed',
  async (deps, { params, parts, signal }): Promise<FollowedAnswer> => {
    const symbol = selectSymbol(parts)
    const query = readParameters(trackQuery, params)
    const at = toPast(query.asof, deps.now())
    const asked = { symbol, horizon: toHorizon(query.horizon) }
    const data = await deps.archive.records.selectFollowed(asked, { at, signal })
    if (!data) throw neverRated(query.asof)
    return { success: true, code: 200, data, meta: toMeta(deps, at) }
  },
)

const MOVES_DAYS = 90
const DAY_SECONDS = 86_400

/** Several symbols side by side. */
export const answerComparison = kept(
  'comparison',
  async (deps, { params, signal }): Promise<CompareAnswer> => {
    const query = readParameters(compareQuery, params)
    const at = toPast(query.asof, deps.now())
    const data = await deps.archive.selectComparison(query, { at, signal })
    return { success: true, code: 200, data, meta: toMeta(deps, at) }
  },
)

/** What happened lately among the symbols. */
export const answerOverview = kept(
  'overview',
  async (deps, { params, signal }): Promise<OverviewAnswer> => {
    const at = readParameters(asofQuery, params).asof ?? deps.now()
    const data = await deps.archive.selectOverview({ at, signal })
    return { success: true, code: 200, data, meta: toMeta(deps, at) }
  },
)

/** `asof` is the instant that the question names; null is now. */
const neverRated = (asof: number | null) =>
  new AppError(
    'not_found',
    asof === null ? 'Nobody has rated this symbol.' : 'Nobody had rated this symbol by then.',
  )

/** The symbol of an address. Throws AppError('bad_request'). */
export function selectSymbol(parts: Asked['parts']): string {
  const symbol = readSymbol(parts.symbol ?? '')
  if (typeof symbol === 'string') return symbol
  throw toBadRequest([{ parameter: 'symbol', message: symbol.problem }])
}
