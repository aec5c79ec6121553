import type { CompareAnswer, OpinionAnswer, SeriesAnswer } from '#lib/contract/answers/opinion.ts'
import type { AggregateAnswer, OverviewAnswer, SymbolsPage } from '#lib/contract/answers/symbols.ts'
import {
  aggregateQuery,
  asofQuery,
  compareQuery,
  seriesQuery,
  symbolsQuery,
} from '#lib/contract/api-queries.ts'
import { AppError } from '#lib/contract/faults.ts'
import { readSymbol } from '#lib/contract/parameters.ts'
import { readParameters, toBadRequest, toMeta, toPageInfo } from './respond.ts'
import type { Route, RouteContext } from './route.ts'

export const symbolsRoute: Route = {
  kind: 'kept',
  method: 'GET',
  pattern: '/api/symbols',
  handle: async ({ deps, params }): Promise<SymbolsPage> => {
    const query = readParameters(symbolsQuery, params)
    const at = query.asof ?? deps.now()
    const { rows, total } = await deps.archive.selectSymbols(query, { at })
    const page = toPageInfo(query, total)
    return { success: true, code: 200, data: rows, page, meta: toMeta(deps, at) }
  },
}

export const symbolRoute: Route = {
  kind: 'kept',
  method: 'GET',
  pattern: '/api/symbols/{symbol}',
  handle: async ({ deps, params, path }): Promise<AggregateAnswer> => {
    const symbol = selectSymbol(path)
    const { date } = readParameters(aggregateQuery, params)
    const at = deps.now()
    const found = await deps.archive.selectAggregate(symbol, date, { at })
    if (!found) throw neverRated()
    return {
      success: true,
      code: 200,
      data: found.aggregate,
      meta: {
        ...toMeta(deps, at),
        ratings: found.ratings,
        users: found.users,
        first_created_at: found.firstCreatedAt,
        last_created_at: found.lastCreatedAt,
      },
    }
  },
}

export const symbolOpinionRoute: Route = {
  kind: 'kept',
  method: 'GET',
  pattern: '/api/symbols/{symbol}/opinion',
  handle: async ({ deps, params, path }): Promise<OpinionAnswer> => {
    const symbol = selectSymbol(path)
    const at = readParameters(asofQuery, params).asof ?? deps.now()
    const data = await deps.archive.selectOpinion(symbol, { at })
    if (!data) throw neverRated()
    return { success: true, code: 200, data, meta: toMeta(deps, at) }
  },
}

export const symbolSeriesRoute: Route = {
  kind: 'kept',
  method: 'GET',
  pattern: '/api/symbols/{symbol}/series',
  handle: async ({ deps, params, path }): Promise<SeriesAnswer> => {
    const symbol = selectSymbol(path)
    const query = readParameters(seriesQuery, params)
    const at = toPast(query.asof, deps.now())
    const data = await deps.archive.selectSeries(symbol, query, { at })
    if (!data) throw neverRated()
    return { success: true, code: 200, data, meta: toMeta(deps, at) }
  },
}

export const compareRoute: Route = {
  kind: 'kept',
  method: 'GET',
  pattern: '/api/compare',
  handle: async ({ deps, params }): Promise<CompareAnswer> => {
    const query = readParameters(compareQuery, params)
    const at = toPast(query.asof, deps.now())
    const data = await deps.archive.selectComparison(query, { at })
    return { success: true, code: 200, data, meta: toMeta(deps, at) }
  },
}

export const overviewRoute: Route = {
  kind: 'kept',
  method: 'GET',
  pattern: '/api/overview',
  handle: async ({ deps, params }): Promise<OverviewAnswer> => {
    const at = readParameters(asofQuery, params).asof ?? deps.now()
    const data = await deps.archive.selectOverview({ at })
    return { success: true, code: 200, data, meta: toMeta(deps, at) }
  },
}

/** A series shows what was: one as of an instant to come ends now. */
const toPast = (asof: number | null, now: number) => Math.min(asof ?? now, now)

const neverRated = () => new AppError('not_found', 'Nobody has rated this symbol.')

function selectSymbol(path: RouteContext['path']): string {
  const symbol = readSymbol(path.symbol ?? '')
  if (typeof symbol === 'string') return symbol
  throw toBadRequest([{ parameter: 'symbol', message: symbol.problem }])
}
