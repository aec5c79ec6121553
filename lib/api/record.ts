import type { CallsPage, CommunityRecordAnswer, TrackAnswer } from '#lib/contract/answers/track.ts'
import { type CallSort, callsQuery, trackQuery } from '#lib/contract/api-queries.ts'
import { AppError } from '#lib/contract/faults.ts'
import { toHorizon } from '#lib/contract/horizons.ts'
import type { Sort } from '#lib/contract/query-parameters.ts'
import { kept } from './endpoint.ts'
import { readParameters, toMeta, toPageInfo, toPast } from './respond.ts'
import { selectUserId } from './users.ts'

/** What became of a user's ratings by the prices after them. */
export const answerTrack = kept(
  'track',
  async (deps, { params, parts, signal }): Promise<TrackAnswer> => {
    const userId = selectUserId(parts)
    const query = readParameters(trackQuery, params)
    const at = toPast(query.asof, deps.now())
    const asked = { userId, horizon: toHorizon(query.horizon) }
    const data = await deps.archive.records.selectTrack(asked, { at, signal })
    if (!data) throw new AppError('not_found', 'No user of this number had rated by then.')
    return { success: true, code: 200, data, meta: toMeta(deps, at) }
  },
)

/** The same of everybody's. */
export const answerCommunity = kept(
  'community',
  async (deps, { params, signal }): Promise<CommunityRecordAnswer> => {
    const query = readParameters(trackQuery, params)
    const at = toPast(query.asof, deps.now())
    const horizon = toHorizon(query.horizon)
    const data = await deps.archive.records.selectCommunity(horizon, { at, signal })
    return { success: true, code: 200, data, meta: toMeta(deps, at) }
  },
)

/** A page of ratings as calls. */
export const answerCalls = kept(
  'scoredCalls',
  async (deps, { params, signal }): Promise<CallsPage> => {
    const query = readParameters(callsQuery, params)
    const at = toPast(query.asof, deps.now())
    const asked = { ...toCallSet(query), page: query.page, perPage: query.per_page }
    const { rows, total } = await deps.archive.records.selectCalls(asked, { at, signal })
    const page = toPageInfo(query, total)
    return { success: true, code: 200, data: rows, page, meta: toMeta(deps, at) }
  },
)

/** Which calls a query names. */
export const toCallSet = (query: {
  horizon: string
  user: { only: readonly number[] }
  symbol: { only: readonly string[] }
  from: number | null
  to: number | null
  sort: Sort<CallSort>
}) => ({
  horizon: toHorizon(query.horizon),
  users: query.user.only,
  symbols: query.symbol.only,
  from: query.from,
  to: query.to,
  sort: query.sort,
})
