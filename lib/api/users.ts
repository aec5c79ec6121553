import type { ArchiveReader, ReadOptions } from '#lib/archive/reader.ts'
import { selectPriced } from '#lib/archive/record/record.ts'
import { selectUserRatings, selectUserRecord } from '#lib/archive/users/user-record.ts'
import { selectUser, selectUsers } from '#lib/archive/users/users.ts'
import type { Asked } from '#lib/contract/answers/questions.ts'
import type { UsersPage } from '#lib/contract/answers/users.ts'
import { asofQuery, nearUsersQuery } from '#lib/contract/api-queries.ts'
import { AppError } from '#lib/contract/faults.ts'
import { toHorizon } from '#lib/contract/horizons.ts'
import { type ApiDeps, kept, type Wanted } from './endpoint.ts'
import { readParameters, toBadRequest, toMeta, toPageInfo } from './respond.ts'

const USER_ID = /^-?\d{1,15}$/

/** The league table of users, and their typeahead. */
export const answerUsers = kept('users', async (deps, { params, signal }): Promise<UsersPage> => {
  const query = readParameters(nearUsersQuery, params)
  const at = query.asof ?? deps.now()
  const { rows, total, ranked } = await selectUsers(deps.archive.reader, query, { at, signal })
  const page = toPageInfo(query, total)
  const prices = selectPriced(deps.archive.reader)
  const standings = { horizon: toHorizon(query.horizon), ranked, prices }
  return { success: true, code: 200, data: rows, page, standings, meta: toMeta(deps, at) }
})

/** One user. */
export const answerUser = kept('user', (deps, asked) => toUserAnswer(deps, asked, selectUser))

/** A user's ratings over time, symbol by symbol. */
export const answerUserRatings = kept('calls', (deps, asked) =>
  toUserAnswer(deps, asked, selectUserRatings),
)

/** What can be judged of a user without prices. */
export const answerRecord = kept('record', (deps, asked) =>
  toUserAnswer(deps, asked, selectUserRecord),
)

type SelectUser<T> = (
  reader: ArchiveReader,
  userId: number,
  options: ReadOptions,
) => Promise<T | null>

/** What the archive says of one user by an instant. */
async function toUserAnswer<T>(
  deps: ApiDeps,
  { parts, params, signal }: Wanted,
  select: SelectUser<T>,
) {
  const id = selectUserId(parts)
  const at = readParameters(asofQuery, params).asof ?? deps.now()
  const data = await select(deps.archive.reader, id, { at, signal })
  if (!data) throw new AppError('not_found', 'No user of this number had rated by then.')
  return { success: true as const, code: 200, data, meta: toMeta(deps, at) }
}

export function selectUserId({ id = '' }: Asked['parts']): number {
  if (USER_ID.test(id)) return Number(id)
  throw toBadRequest([{ parameter: 'id', message: 'is not a whole number' }])
}
