import { createHmac, randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { role } from '#lib/contract/answers/access.ts'
import type { AccessRecords } from './records.ts'
import { createRegister, held, type Register, toRegisterSchema } from './register.ts'

const SECRET_BYTES = 32
const SECRET = /^[A-Za-z0-9_-]{43}$/

/** Per account; one more ends the least recently used. */
const OF_ONE_MAX = 20
const AGENT_MAX = 256

/** Tolerated clock difference. A session from further in the future would outlive its limits. */
const AHEAD_SECONDS = 300

const session = z.extend(held, {
  /** Null if the account decides. */
  role: z.nullable(role),
  /** The session ends with this password. Null for a provider's session. */
  password_id: z.nullable(z.string()),
  from: z.string(),
  agent: z.string(),
})
export type Session = z.infer<typeof session>

type SessionsDeps = {
  records: AccessRecords
  secret: Buffer
  now: () => number
  limits: { idle: number; absolute: number }
}

type SignedIn = Pick<Session, 'name' | 'role' | 'password_id' | 'from' | 'agent'>

export type Sessions = Pick<Register<Session>, 'end' | 'list' | 'refresh'> & {
  begin(who: SignedIn): Promise<string>
  /** Null if unknown or expired. */
  find(secret: string): Session | null
}

export function createSessions({ records, secret, now, limits }: SessionsDeps): Sessions {
  const register = createRegister<Session>({
    file: records.open('sessions', toRegisterSchema(session)),
    isLive: ({ created_at, used_at }) =>
      now() - (used_at ?? created_at) < limits.idle &&
      now() - created_at < limits.absolute &&
      created_at - now() < AHEAD_SECONDS,
    now,
  })
  const toHash = (text: string) => createHmac('sha256', secret).update(text).digest('hex')
  const makeRoom = async (name: string) => {
    const own = register.list().filter((one) => one.name === name)
    const tooMany = own.sort((a, b) => usedAt(b) - usedAt(a)).slice(OF_ONE_MAX - 1)
    const ids = new Set(tooMany.map(({ id }) => id))
    if (ids.size > 0) await register.end(({ id }) => ids.has(id))
  }
  return {
    end: register.end,
    list: register.list,
    refresh: register.refresh,
    async begin(who) {
      await makeRoom(who.name)
      const text = randomBytes(SECRET_BYTES).toString('base64url')
      const at = Math.floor(now())
      await register.add(() => ({
        ...who,
        agent: who.agent.slice(0, AGENT_MAX),
        id: randomBytes(8).toString('hex'),
        hash: toHash(text),
        created_at: at,
        used_at: at,
      }))
      return text
    },
    find: (text) => (SECRET.test(text) ? register.find(toHash(text)) : null),
  }
}

const usedAt = ({ used_at, created_at }: Session) => used_at ?? created_at
