import { queryOptions } from '@tanstack/react-query'
import type {
  AccountsAnswer,
  MeAnswer,
  NewTokenAnswer,
  WantedAccount,
  WantedPassword,
  WantedToken,
} from '#lib/contract/answers/access.ts'
import { fetchInBrowser, loadAnswer, sendInBrowser } from './fetch-api.ts'

/** Who signs in, and what is his. It is asked for each time that it is shown: others change it too. */
export const meOptions = () =>
  queryOptions({
    queryKey: ['access', 'me'],
    queryFn: ({ signal }): Promise<MeAnswer> =>
      loadAnswer('me', '/api/access/me', { fetchApi: fetchInBrowser, signal }),
    staleTime: 0,
  })

/** Everybody who may come in, for operators. */
export const accountsOptions = () =>
  queryOptions({
    queryKey: ['access', 'accounts'],
    queryFn: ({ signal }): Promise<AccountsAnswer> =>
      loadAnswer('accounts', '/api/access/accounts', { fetchApi: fetchInBrowser, signal }),
    staleTime: 0,
  })

/** Each throws ApiError that says what was wrong. */
export const makeToken = (wanted: WantedToken): Promise<NewTokenAnswer> =>
  loadAnswer('newToken', '/api/access/tokens', { fetchApi: sendInBrowser('POST', wanted) })

export const endToken = (id: string) =>
  loadAnswer('accepted', `/api/access/tokens/${encodeURIComponent(id)}`, {
    fetchApi: sendInBrowser('DELETE'),
  })

/** Without an id, all of one's own but the one that asks. */
export const endSessions = (id?: string) =>
  loadAnswer(
    'accepted',
    `/api/access/sessions${id === undefined ? '' : `/${encodeURIComponent(id)}`}`,
    { fetchApi: sendInBrowser('DELETE') },
  )

export const changePassword = (wanted: WantedPassword) =>
  loadAnswer('accepted', '/api/access/password', { fetchApi: sendInBrowser('PUT', wanted) })

export const changeAccount = (name: string, wanted: WantedAccount) =>
  loadAnswer('accepted', `/api/access/accounts/${encodeURIComponent(name)}`, {
    fetchApi: sendInBrowser('PATCH', wanted),
  })
