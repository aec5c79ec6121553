import { selectMovers } from '#lib/archive/changes/notable.ts'
import { selectPrices } from '#lib/archive/record/symbol-prices.ts'
import {
  selectAggregate,
  selectComparison,
  selectMoves,
  selectOpinion,
  selectSeries,
  selectSymbolMap,
} from '#lib/archive/symbols/symbol.ts'
import { selectSymbols } from '#lib/archive/symbols/symbols.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { symbolQuestions } from '#lib/contract/operations/symbols.ts'
import type { AnswersTo } from './endpoint.ts'
import { toAnswer, toBadRequest, toMeta, toPageInfo, toPast } from './respond.ts'

export const symbolAnswers: AnswersTo<typeof symbolQuestions> = {
  symbols: async (deps, { query, signal }) => {
    const at = query.asof ?? deps.now()
    const named = deps.names.find(query.q)
    const asked = { ...query, named }
    const { rows, total } = await selectSymbols(deps.archive.reader, asked, { at, signal })
    const data = rows.map(({ symbol, ...row }) => ({
      symbol,
      name: deps.names.of(symbol),
      ...row,
    }))
    return toAnswer(data, { page: toPageInfo(query, total), meta: toMeta(deps, at) })
  },

  symbolMap: async (deps, { query, signal }) => {
    const at = query.asof ?? deps.now()
    const { reader } = deps.archive
    const { rows, total } = await selectSymbolMap(reader, Number(query.days), { at, signal })
    const data = rows.map(({ symbol, ...row }) => ({
      symbol,
      name: deps.names.of(symbol),
      sector: deps.names.sectorOf(symbol),
      ...row,
    }))
    return toAnswer(data, { meta: { ...toMeta(deps, at), symbols: total } })
  },

  symbol: async (deps, { symbol, query, signal }) => {
    const at = deps.now()
    const found = await selectAggregate(
      deps.archive.reader,
      { symbol, day: query.date },
      { at, signal },
    )
    if (!found) throw neverRated(null)
    const { day, ...aggregate } = found.aggregate
    const data = { day, ...aggregate, name: deps.names.of(aggregate.symbol) }
    const meta = {
      ...toMeta(deps, at),
      ratings: found.ratings,
      users: found.users,
      first_created_at: found.firstCreatedAt,
      last_created_at: found.lastCreatedAt,
    }
    return toAnswer(data, { meta })
  },

  opinion: async (deps, { symbol, query, signal }) => {
    const at = query.asof ?? deps.now()
    const data = await selectOpinion(deps.archive.reader, symbol, { at, signal })
    if (!data) throw neverRated(query.asof)
    return toAnswer(data, { meta: toMeta(deps, at) })
  },

  series: async (deps, { symbol, query, signal }) => {
    const at = toPast(query.asof, deps.now())
    const data = await selectSeries(deps.archive.reader, { symbol, query }, { at, signal })
    if (!data) throw neverRated(query.asof)
    return toAnswer(data, { meta: toMeta(deps, at) })
  },

  prices: async (deps, { symbol, query, signal }) => {
    const at = toPast(query.asof, deps.now())
    const data = await selectPrices(deps.archive.reader, { symbol, query }, { at, signal })
    if (!data) throw neverRated(query.asof)
    return toAnswer(data, { meta: toMeta(deps, at) })
  },

  moves: async (deps, { symbol, query, signal }) => {
    const at = toPast(query.asof, deps.now())
    const to = Math.min(query.to ?? at, at)
    const from = query.from ?? to - MOVES_DAYS * DAY_SECONDS
    if (from >= to) throw toBadRequest([{ parameter: 'from', message: 'is not before to' }])
    const data = await selectMoves(deps.archive.reader, { symbol, from, to }, { at, signal })
    if (!data) throw neverRated(query.asof)
    return toAnswer(data, { meta: toMeta(deps, at) })
  },

  comparison: async (deps, { query, signal }) => {
    const at = toPast(query.asof, deps.now())
    const data = await selectComparison(deps.archive.reader, query, { at, signal })
    return toAnswer(data, { meta: toMeta(deps, at) })
  },

  movers: async (deps, { query, signal }) => {
    const at = query.asof ?? deps.now()
    const data = await selectMovers(deps.archive.reader, { at, signal })
    return toAnswer(data, { meta: toMeta(deps, at) })
  },
}

const MOVES_DAYS = 90
const DAY_SECONDS = 86_400

const neverRated = (asof: number | null) =>
  new AppError(
    'not_found',
    asof === null ? 'This symbol has no ratings.' : 'This symbol had no ratings by then.',
  )
