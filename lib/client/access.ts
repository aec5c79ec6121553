import { queryOptions } from '@tanstack/react-query'
import type {
  AccountsAnswer,
  MeAnswer,
  NewTokenAnswer,
  WantedAccount,
  WantedPassword,
  WantedToken,
} from '#lib/contract/answers/access.ts'
import { type FetchApi, fetchInBrowser, loadAnswer } from './fetch-api.ts'

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

const sending =
  (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', body: unknown = {}): FetchApi =>
  (path, init) =>
    fetch(path, {
      ...init,
      method,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

/** Each throws ApiError that says what was wrong. */
export const makeToken = (wanted: WantedToken): Promise<NewTokenAnswer> =>
  loadAnswer('newToken', '/api/access/tokens', { fetchApi: sending('POST', wanted) })

export const endToken = (id: string) =>
  loadAnswer('accepted', `/api/access/tokens/${encodeURIComponent(id)}`, {
    fetchApi: sending('DELETE'),
  })

/** Without an id, all of one's own but the one that asks. */
export const endSessions = (id?: string) =>
  loadAnswer(
    'accepted',
    `/api/access/sessions${id === undefined ? '' : `/${encodeURIComponent(id)}`}`,
    { fetchApi: sending('DELETE') },
  )

export const changePassword = (wanted: WantedPassword) =>
  loadAnswer('accepted', '/api/access/password', { fetchApi: sending('PUT', wanted) })

export const changeAccount = (name: string, wanted: WantedAccount) =>
  loadAnswer('accepted', `/api/access/accounts/${encodeURIComponent(name)}`, {
    fetchApi: sending('PATCH', wanted),
  })
