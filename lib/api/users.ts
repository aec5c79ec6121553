import { loadCallRows } from '#lib/archive/record/calls.ts'
import { selectCommunity, selectPriced, selectTrack } from '#lib/archive/record/record.ts'
import { selectUser, selectUserRatings, selectUsers } from '#lib/archive/users/users.ts'
import { AppError } from '#lib/contract/faults.ts'
import { toHorizon } from '#lib/contract/horizons.ts'
import type { callQuestions, userQuestions } from '#lib/contract/operations/users.ts'
import type { AnswersTo } from './endpoint.ts'
import { answerPage } from './lists.ts'
import { toAnswer, toMeta, toPageInfo, toPast } from './respond.ts'

export const userAnswers: AnswersTo<typeof userQuestions> = {
  users: async (deps, { query, signal }) => {
    const at = query.asof ?? deps.now()
    const { rows, total, luck } = await selectUsers(deps.archive.reader, query, { at, signal })
    const prices = selectPriced(deps.archive.reader)
    const standings = { horizon: toHorizon(query.horizon), luck, prices }
    const page = toPageInfo(query, total)
    return toAnswer(rows, { page, standings, meta: toMeta(deps, at) })
  },

  user: async (deps, { id, query, signal }) => {
    const at = query.asof ?? deps.now()
    const data = await selectUser(deps.archive.reader, id, { at, signal })
    if (!data) throw neverRated()
    return toAnswer(data, { meta: toMeta(deps, at) })
  },

  userRatings: async (deps, { id, query, signal }) => {
    const at = query.asof ?? deps.now()
    const data = await selectUserRatings(deps.archive.reader, id, { at, signal })
    if (!data) throw neverRated()
    return toAnswer(data, { meta: toMeta(deps, at) })
  },

  track: async (deps, { id, query, signal }) => {
    const at = toPast(query.asof, deps.now())
    const asked = { userId: id, horizon: toHorizon(query.horizon) }
    const data = await selectTrack(deps.archive.reader, asked, { at, signal })
    if (!data) throw neverRated()
    return toAnswer(data, { meta: toMeta(deps, at) })
  },

  communityRecord: async (deps, { query, signal }) => {
    const at = toPast(query.asof, deps.now())
    const horizon = toHorizon(query.horizon)
    const data = await selectCommunity(deps.archive.reader, horizon, { at, signal })
    return toAnswer(data, { meta: toMeta(deps, at) })
  },
}

export const callAnswers: AnswersTo<typeof callQuestions> = {
  calls: async (deps, { query, signal }) => {
    const at = toPast(query.asof, deps.now())
    const rows = await loadCallRows(deps.archive.reader, query, { at, signal })
    return await answerPage(deps, rows, { query, meta: toMeta(deps, at), signal })
  },
}

const neverRated = () => new AppError('not_found', 'No user with this number had rated by then.')
