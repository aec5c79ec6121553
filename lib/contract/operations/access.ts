import { noQuery } from '#lib/contract/api-queries.ts'
import type { RequiredPermission } from '#lib/contract/caller.ts'
import type { AuditKind } from '#lib/contract/lists/audit.ts'
import { defineOperations, type LoadSchema, type Method, textPart } from './operation.ts'

type AccessDefinition<L> = {
  method: Method
  address: string
  permission: RequiredPermission
  audit?: { kind: AuditKind; what: string }
  load: L
}

const access = <L extends LoadSchema>({
  method,
  address,
  permission,
  audit,
  load,
}: AccessDefinition<L>) => ({
  method,
  address: `/api/access/${address}`,
  permission,
  query: noQuery,
  tag: null,
  summary: '',
  audit: audit ? { ...audit, logsDone: true } : null,
  answer: { how: 'text' as const, type: 'application/json', load },
})

const accepted = async () => (await import('#lib/contract/answers/described.ts')).accepted

export const accessOperations = defineOperations({
  me: access({
    method: 'GET',
    address: 'me',
    permission: 'read',
    load: async () => (await import('#lib/contract/answers/access.ts')).meAnswer,
  }),
  signIn: access({
    method: 'POST',
    address: 'sign-in',
    permission: 'public',
    audit: { kind: 'sign-in', what: 'signed in' },
    load: accepted,
  }),
  signOut: access({
    method: 'POST',
    address: 'sign-out',
    permission: 'public',
    audit: { kind: 'sign-out', what: 'signed out' },
    load: accepted,
  }),
  oidc: access({ method: 'GET', address: 'oidc', permission: 'public', load: accepted }),
  oidcCallback: access({
    method: 'GET',
    address: 'oidc/callback',
    permission: 'public',
    audit: { kind: 'sign-in', what: 'signed in' },
    load: accepted,
  }),
  changePassword: access({
    method: 'PUT',
    address: 'password',
    permission: 'read',
    audit: { kind: 'account', what: 'changed the password' },
    load: accepted,
  }),
  endSessions: access({
    method: 'DELETE',
    address: 'sessions',
    permission: 'read',
    audit: { kind: 'session', what: 'ended sessions' },
    load: accepted,
  }),
  endSession: {
    ...access({
      method: 'DELETE',
      address: 'sessions/{id}',
      permission: 'read',
      audit: { kind: 'session', what: 'ended a session' },
      load: accepted,
    }),
    parts: { id: textPart('The id of the session.', 'x') },
  },
  makeToken: access({
    method: 'POST',
    address: 'tokens',
    permission: 'read',
    audit: { kind: 'token', what: 'created a token' },
    load: async () => (await import('#lib/contract/answers/access.ts')).newTokenAnswer,
  }),
  endToken: {
    ...access({
      method: 'DELETE',
      address: 'tokens/{id}',
      permission: 'read',
      audit: { kind: 'token', what: 'revoked a token' },
      load: accepted,
    }),
    parts: { id: textPart('The id of the token.', 'x') },
  },
  accounts: access({
    method: 'GET',
    address: 'accounts',
    permission: 'manage',
    load: async () => (await import('#lib/contract/answers/access.ts')).accountsAnswer,
  }),
  changeAccount: {
    ...access({
      method: 'PATCH',
      address: 'accounts/{name}',
      permission: 'manage',
      audit: { kind: 'account', what: 'changed the account {name}' },
      load: accepted,
    }),
    parts: { name: textPart('The name of the account.', 'ada') },
  },
})
