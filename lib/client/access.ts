import { queryOptions } from '@tanstack/react-query'
import type { WantedAccount, WantedPassword, WantedToken } from '#lib/contract/answers/access.ts'
import { accessOperations } from '#lib/contract/operations/access.ts'
import { sendOperation } from './fetch-api.ts'

export const meOptions = () =>
  queryOptions({
    queryKey: ['access', 'me'],
    queryFn: ({ signal }) => sendOperation(accessOperations.me, { signal }),
    staleTime: 0,
  })

export const accountsOptions = () =>
  queryOptions({
    queryKey: ['access', 'accounts'],
    queryFn: ({ signal }) => sendOperation(accessOperations.accounts, { signal }),
    staleTime: 0,
  })

export const makeToken = (body: WantedToken) => sendOperation(accessOperations.makeToken, { body })

export const endToken = (id: string) => sendOperation(accessOperations.endToken, { parts: { id } })

export const endSessions = (id?: string) =>
  id === undefined
    ? sendOperation(accessOperations.endSessions)
    : sendOperation(accessOperations.endSession, { parts: { id } })

export const changePassword = (body: WantedPassword) =>
  sendOperation(accessOperations.changePassword, { body })

export const changeAccount = (name: string, body: WantedAccount) =>
  sendOperation(accessOperations.changeAccount, { parts: { name }, body })
