import * as z from 'zod/mini'
import { envelope, seconds } from './envelope.ts'

/** What somebody may be allowed to do. */
export const PERMISSIONS = ['embed', 'feed', 'read', 'export', 'sync', 'inspect', 'manage'] as const

/**
 * `embed`: the charts that other pages frame, and the answers that they are drawn from; `feed`: what feed readers ask for; `read` holds both. `read`: pages and
 * answers. `export`: files of all rows, and the weekly dumps. `sync`: ask for a sync. `inspect`: what the
 * sync did and will do, the quarantine, the metrics, the audit log. `manage`: the accounts, sessions and tokens of others.
 */
export type Permission = (typeof PERMISSIONS)[number]

/** Of those who sign in: who looks, and who runs the dashboard. */
export const role = z.enum(['reader', 'operator'])
export type Role = z.infer<typeof role>

/** How people are let in. */
export const ACCESS_MODES = ['open', 'password', 'oidc', 'proxy'] as const
export type AccessMode = (typeof ACCESS_MODES)[number]

/** What a token may be given: nobody manages others by a script that was left somewhere. */
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

/** Somebody who is signed in on some browser. */
const sessionEntry = z.object({
  id: z.string(),
  name: z.string(),
  created_at: seconds,
  used_at: seconds,
  /** The address that it was begun from, and what the browser calls itself. */
  from: z.string(),
  agent: z.string(),
  /** Whether it is the one that asks. */
  is_this: z.boolean(),
})
export type SessionEntry = z.infer<typeof sessionEntry>

/** A token for scripts; the token itself is shown once, when it is made. */
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

/** Who asks, and what is his. */
const me = z.object({
  mode: z.enum(ACCESS_MODES),
  /** Empty where nobody signs in. */
  name: z.string(),
  may: z.array(permission),
  sessions: z.array(sessionEntry),
  tokens: z.array(tokenEntry),
})
export type Me = z.infer<typeof me>

/** `GET /api/access/me`. */
export const meAnswer = envelope(me, {})
export type MeAnswer = z.infer<typeof meAnswer>

const accountEntry = z.object({
  name: z.string(),
  role,
  created_at: seconds,
  locked_at: z.nullable(seconds),
})
export type AccountEntry = z.infer<typeof accountEntry>

/** All accounts, sessions and tokens, for operators. */
const everybody = z.object({
  accounts: z.array(accountEntry),
  sessions: z.array(sessionEntry),
  tokens: z.array(tokenEntry),
})
export type Everybody = z.infer<typeof everybody>

/** `GET /api/access/accounts`. */
export const accountsAnswer = envelope(everybody, {})
export type AccountsAnswer = z.infer<typeof accountsAnswer>

/** `POST /api/access/tokens`: the token, this once. */
export const newTokenAnswer = envelope(z.object({ token: z.string() }), {})
export type NewTokenAnswer = z.infer<typeof newTokenAnswer>

/** What somebody asks for a token: how long it lasts in days. */
export const wantedToken = z.object({
  label: z.string(),
  scopes: z.array(permission),
  days: z.int(),
})
export type WantedToken = z.infer<typeof wantedToken>

/** What somebody asks when he changes his password. */
export const wantedPassword = z.object({ current: z.string(), next: z.string() })
export type WantedPassword = z.infer<typeof wantedPassword>

/** What an operator changes of an account. */
export const wantedAccount = z.object({
  role: z.optional(role),
  is_locked: z.optional(z.boolean()),
})
export type WantedAccount = z.infer<typeof wantedAccount>
