import { createHash, randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import {
  PERMISSIONS,
  type Permission,
  role,
  SCOPES,
  TOKEN_DAYS_MAX,
} from '#lib/contract/answers/access.ts'
import { AccessProblem } from './accounts.ts'
import type { AccessRecords } from './records.ts'
import { createRegister, held, type Register, toRegisterSchema } from './register.ts'

const TOKEN_BYTES = 32
const TOKEN = /^bw_[A-Za-z0-9_-]{43}$/
const LABEL = /^[^\p{Cc}\p{Cf}]{1,64}$/u
const DAY_SECONDS = 86_400
const OF_ONE_MAX = 50

/** SHA-256 suffices: tokens are random. */
const token = z.extend(held, {
  label: z.string(),
  /** Limited further by the owner's role. */
  scopes: z.array(z.enum(PERMISSIONS)),
  ends_at: z.int(),
  /** Role of an owner without a local account, when last seen. */
  owner: z.optional(z.object({ role, at: z.int() })),
})
export type SeenRole = NonNullable<z.infer<typeof token>['owner']>
export type Token = z.infer<typeof token>

type TokensDeps = { records: AccessRecords; now: () => number }

export type WantedToken = {
  name: string
  label: string
  scopes: readonly Permission[]
  days: number
}

export type Tokens = Pick<Register<Token>, 'end' | 'list' | 'refresh'> & {
  create(wanted: WantedToken): Promise<string>
  /** Null if unknown or expired. */
  find(shown: string): Token | null
  noteRoles(roleOf: (name: string) => SeenRole | undefined): Promise<void>
}

export function createTokens({ records, now }: TokensDeps): Tokens {
  const register = createRegister<Token>({
    file: records.open('tokens', toRegisterSchema(token)),
    isLive: ({ ends_at }) => now() < ends_at,
    now,
  })
  return {
    end: register.end,
    list: register.list,
    refresh: register.refresh,
    async create({ name, scopes, days, ...given }) {
      const label = given.label.trim()
      const problem = selectProblem({ label, scopes, days })
      if (problem !== null) throw new AccessProblem(problem)
      const text = `bw_${randomBytes(TOKEN_BYTES).toString('base64url')}`
      const at = Math.floor(now())
      await register.add((others) => {
        const own = others.filter((one) => one.name === name)
        if (own.length >= OF_ONE_MAX) {
          throw new AccessProblem(`There are already ${OF_ONE_MAX} tokens: revoke one first.`)
        }
        if (own.some((one) => one.label === label)) {
          throw new AccessProblem(`A token named ${label} already exists.`)
        }
        return {
          id: randomBytes(8).toString('hex'),
          hash: toHash(text),
          label,
          name,
          scopes: PERMISSIONS.filter((one) => scopes.includes(one)),
          created_at: at,
          ends_at: at + days * DAY_SECONDS,
          used_at: null,
        }
      })
      return text
    },
    find: (shown) => (TOKEN.test(shown) ? register.find(toHash(shown)) : null),
    noteRoles: (roleOf) =>
      register.change((one) => {
        const seen = roleOf(one.name)
        const isNews = seen && seen.role !== one.owner?.role && seen.at >= (one.owner?.at ?? 0)
        return isNews ? { ...one, owner: seen } : one
      }),
  }
}

const toHash = (text: string) => createHash('sha256').update(text).digest('hex')

function selectProblem({ label, scopes, days }: Omit<WantedToken, 'name'>): string | null {
  if (!LABEL.test(label)) return 'A token needs a name of at most 64 characters.'
  if (scopes.length === 0) return 'A token needs at least one permission.'
  if (scopes.some((one) => !SCOPES.some((scope) => scope === one))) {
    return `Valid permissions of a token: ${SCOPES.join(', ')}.`
  }
  if (!Number.isInteger(days) || days < 1 || days > TOKEN_DAYS_MAX) {
    return `A token is valid for 1 to ${TOKEN_DAYS_MAX} days.`
  }
  return null
}
