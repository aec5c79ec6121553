import 'server-only'
import * as z from 'zod/mini'
import { ACCESS_MODES, type AccessMode } from '#lib/contract/answers/access.ts'
import { address, isLoopback, list, matching, networks, toList, whole } from './env-values.ts'

export const ACCESS_NAMES = [
  'TRUSTED_PROXIES',
  'ACCESS',
  'ACCESS_OPERATORS',
  'ACCESS_OPERATOR_GROUPS',
  'ACCESS_NAME_HEADER',
  'ACCESS_GROUPS_HEADER',
  'SESSION_IDLE_HOURS',
  'SESSION_HOURS',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_SCOPES',
  'OIDC_NAME_CLAIM',
  'OIDC_GROUPS_CLAIM',
  'OIDC_TRUST_EMAIL',
] as const

export type AccessSettings = {
  mode: AccessMode
  operators: readonly string[]
  operatorGroups: readonly string[]
  /** Header names, lower case. */
  nameHeader: string
  groupsHeader: string
  /** Seconds. */
  idle: number
  absolute: number
  oidc: OidcSettings | null
}

export type OidcSettings = {
  issuer: URL
  clientId: string
  /** Null: a public client. */
  clientSecret: string | null
  scopes: string
  nameClaim: string
  groupsClaim: string
  /** An address without `email_verified` counts as verified. */
  trustsEmail: boolean
}

const header = matching(/^[A-Za-z0-9-]{1,64}$/, 'is not the name of a header')

export const ACCESS_SCHEMA = {
  TRUSTED_PROXIES: z.optional(networks),
  ACCESS: z.optional(z.enum(ACCESS_MODES, `is not one of ${ACCESS_MODES.join(', ')}`)),
  ACCESS_OPERATORS: z.optional(list),
  ACCESS_OPERATOR_GROUPS: z.optional(list),
  ACCESS_NAME_HEADER: z._default(header, 'Remote-User'),
  ACCESS_GROUPS_HEADER: z._default(header, 'Remote-Groups'),
  SESSION_IDLE_HOURS: z._default(whole(1, 8760), '168'),
  SESSION_HOURS: z._default(whole(1, 8760), '720'),
  OIDC_ISSUER: z.optional(address),
  OIDC_CLIENT_ID: z.optional(z.string()),
  OIDC_CLIENT_SECRET: z.optional(z.string()),
  OIDC_SCOPES: z._default(z.string(), 'openid profile email'),
  OIDC_NAME_CLAIM: z._default(z.string(), 'preferred_username'),
  OIDC_GROUPS_CLAIM: z._default(z.string(), 'groups'),
  OIDC_TRUST_EMAIL: z._default(z.enum(['off', 'on'], 'is not off or on'), 'off'),
}

type Names = z.output<z.ZodMiniObject<typeof ACCESS_SCHEMA>>

/** Beyond loopback, the access mode must be explicit. */
export function selectAccessProblems(set: Record<string, string>): string[] {
  const problems: string[] = []
  const host = (set.HOST ?? '127.0.0.1').toLowerCase()
  if (set.ACCESS === undefined && !isLoopback(host)) {
    problems.push(
      'ACCESS is required if HOST is not a loopback address: password, oidc or proxy, or open for everyone who can reach it',
    )
  }
  if (set.ACCESS === 'oidc') {
    for (const name of ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'PUBLIC_URL']) {
      if (set[name] === undefined) problems.push(`${name} is required with ACCESS=oidc`)
    }
    problems.push(...selectOidcProblems(set))
  } else if (set.OIDC_ISSUER !== undefined) {
    problems.push('OIDC_ISSUER requires ACCESS=oidc')
  }
  if (set.ACCESS === 'proxy' && set.TRUSTED_PROXIES === undefined) {
    problems.push(
      'TRUSTED_PROXIES is required with ACCESS=proxy: only these proxies may name the user',
    )
  }
  if (set.INDEXING === 'on' && set.ACCESS !== undefined && set.ACCESS !== 'open') {
    problems.push(`INDEXING needs public pages: remove it with ACCESS=${set.ACCESS}`)
  }
  return problems
}

/** Requires https: a forged response could sign in anyone. */
function selectOidcProblems({
  OIDC_ISSUER: issuer,
  OIDC_SCOPES: scopes,
}: Record<string, string>): string[] {
  const problems: string[] = []
  if (issuer !== undefined && URL.canParse(issuer)) {
    const { protocol, hostname } = new URL(issuer)
    if (protocol === 'http:' && !isLoopback(hostname)) {
      problems.push('OIDC_ISSUER is plain http: that is allowed only on this machine')
    }
  }
  if (scopes !== undefined && !scopes.split(' ').includes('openid')) {
    problems.push('OIDC_SCOPES lacks openid, which sign-in requires')
  }
  return problems
}

const HOUR_SECONDS = 3600

export function toAccess(names: Names): AccessSettings {
  const mode = names.ACCESS ?? 'open'
  return {
    mode,
    operators: toList(names.ACCESS_OPERATORS),
    operatorGroups: toList(names.ACCESS_OPERATOR_GROUPS),
    nameHeader: names.ACCESS_NAME_HEADER.toLowerCase(),
    groupsHeader: names.ACCESS_GROUPS_HEADER.toLowerCase(),
    idle: Number(names.SESSION_IDLE_HOURS) * HOUR_SECONDS,
    absolute: Number(names.SESSION_HOURS) * HOUR_SECONDS,
    oidc: mode === 'oidc' ? toOidc(names) : null,
  }
}

const toOidc = (names: Names): OidcSettings | null =>
  names.OIDC_ISSUER && names.OIDC_CLIENT_ID
    ? {
        issuer: new URL(names.OIDC_ISSUER),
        clientId: names.OIDC_CLIENT_ID,
        clientSecret: names.OIDC_CLIENT_SECRET ?? null,
        scopes: names.OIDC_SCOPES,
        nameClaim: names.OIDC_NAME_CLAIM,
        groupsClaim: names.OIDC_GROUPS_CLAIM,
        trustsEmail: names.OIDC_TRUST_EMAIL === 'on',
      }
    : null

const NEAR_PROXIES = ['127.0.0.0/8', '::1']

export const toTrustedProxies = ({ TRUSTED_PROXIES: named }: Names): readonly string[] =>
  named ? toList(named) : NEAR_PROXIES
