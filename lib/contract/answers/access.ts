import * as z from 'zod/mini'
import { envelope, seconds } from './envelope.ts'

export const PERMISSIONS = ['embed', 'feed', 'read', 'export', 'sync', 'inspect', 'manage'] as const

/** `read` includes `embed` and `feed`. `manage`: other people's accounts, sessions and tokens. */
export type Permission = (typeof PERMISSIONS)[number]

export const role = z.enum(['reader', 'operator'])
export type Role = z.infer<typeof role>

export const ACCESS_MODES = ['open', 'password', 'oidc', 'proxy'] as const
export type AccessMode = (typeof ACCESS_MODES)[number]

/** Excludes `manage`: a leaked script token must not manage accounts. */
export const SCOPES = [
  'embed',
  'feed',
  'read',
  'export',
  'sync',
  'inspect',
] as const satisfies readonly Permission[]
export const TOKEN_DAYS_MAX = 366
export const PASSWORD_MIN = 12

const permission = z.enum(PERMISSIONS)

const sessionEntry = z.object({
  id: z.string(),
  name: z.string(),
  created_at: seconds,
  used_at: seconds,
  from: z.string(),
  agent: z.string(),
  is_this: z.boolean(),
})
export type SessionEntry = z.infer<typeof sessionEntry>

const tokenEntry = z.object({
  id: z.string(),
  name: z.string(),
  label: z.string(),
  scopes: z.array(permission),
  created_at: seconds,
  ends_at: seconds,
  used_at: z.nullable(seconds),
})
export type TokenEntry = z.infer<typeof tokenEntry>

const me = z.object({
  mode: z.enum(ACCESS_MODES),
  name: z.string(),
  may: z.array(permission),
  sessions: z.array(sessionEntry),
  tokens: z.array(tokenEntry),
})
export type Me = z.infer<typeof me>

export const meAnswer = envelope(me, {})
export type MeAnswer = z.infer<typeof meAnswer>

const accountEntry = z.object({
  name: z.string(),
  role,
  created_at: seconds,
  locked_at: z.nullable(seconds),
})
export type AccountEntry = z.infer<typeof accountEntry>

const everybody = z.object({
  accounts: z.array(accountEntry),
  sessions: z.array(sessionEntry),
  tokens: z.array(tokenEntry),
})
export type Everybody = z.infer<typeof everybody>

export const accountsAnswer = envelope(everybody, {})
export type AccountsAnswer = z.infer<typeof accountsAnswer>

export const newTokenAnswer = envelope(z.object({ token: z.string() }), {})

export const wantedToken = z.object({
  label: z.string(),
  scopes: z.array(permission),
  days: z.int(),
})
export type WantedToken = z.infer<typeof wantedToken>

export const wantedPassword = z.object({ current: z.string(), next: z.string() })
export type WantedPassword = z.infer<typeof wantedPassword>

export const wantedAccount = z.object({
  role: z.optional(role),
  is_locked: z.optional(z.boolean()),
})
export type WantedAccount = z.infer<typeof wantedAccount>
