import { LRUCache } from 'lru-cache'
import type { AccessMode, Role } from '#lib/contract/answers/access.ts'
import { anonymousCaller, type Caller } from '#lib/contract/caller.ts'
import { type Account, toPasswordId } from './accounts.ts'
import { ROLES } from './route-permissions.ts'
import type { Session, Sessions } from './sessions.ts'
import type { SeenRole, Token, Tokens } from './tokens.ts'

export type PresentedCredentials = {
  session?: string | undefined
  token?: string | undefined
  named?: { name: string; groups: readonly string[] } | undefined
}

type Recogniser = {
  identify(credentials: PresentedCredentials): Caller | null
  createRevalidator(): (caller: Caller) => Caller | null
  /** Notes the role, for the tokens of that name. */
  meet(name: string, groups: readonly string[]): Role
  /** The role that the name had when this process last met it. */
  metAs(name: string): SeenRole | undefined
  learn(accounts: readonly Account[]): void
}

type RecogniserDeps = {
  mode: AccessMode
  sessions: Pick<Sessions, 'find' | 'list'>
  tokens: Pick<Tokens, 'find' | 'list'>
  isOperator: (name: string, groups: readonly string[]) => boolean
  now: () => number
}

const MET_MAX = 20_000

export function createRecogniser(deps: RecogniserDeps): Recogniser {
  const { mode, sessions, tokens, isOperator, now } = deps
  const met = new LRUCache<string, SeenRole>({ max: MET_MAX })
  let known: ReadonlyMap<string, Account & { password_id: string }> = new Map()

  const toRole = (name: string, groups: readonly string[]): Role =>
    isOperator(name, groups) ? 'operator' : 'reader'
  const roleOf = (name: string): Role | null => {
    const found = known.get(name)
    return found && found.locked_at === null ? found.role : null
  }
  const meet = (name: string, groups: readonly string[]): Role => {
    const role = toRole(name, groups)
    met.set(name, { role, at: Math.floor(now()) })
    return role
  }
  /** Without local accounts: the role when last seen, by any node. */
  const ownersRole = ({ name, owner }: Token): Role | null => {
    if (mode === 'password') return roleOf(name)
    const bySessions = sessions
      .list()
      .flatMap(({ role, created_at: at, ...one }) =>
        one.name === name && role !== null ? [{ role, at }] : [],
      )
    const seen = [owner, ...bySessions, met.get(name)].filter((one) => one !== undefined)
    const latest = seen.reduce<SeenRole | null>(
      (last, one) => (last && last.at > one.at ? last : one),
      null,
    )
    return latest?.role ?? toRole(name, [])
  }
  const bySession = ({ id, name, role: given, password_id }: Session): Caller | null => {
    // A provider's session never counts for a local account, or vice versa.
    if ((mode === 'password') !== (given === null)) return null
    if (given === null && known.get(name)?.password_id !== password_id) return null
    const role = given ?? roleOf(name)
    return role && { name, permissions: ROLES[role], via: { kind: 'session', id } }
  }
  const byToken = (token: Token): Caller | null => {
    const { id, name, scopes } = token
    const role = ownersRole(token)
    const rights: readonly string[] = role ? ROLES[role] : []
    const permissions = scopes.filter((scope) => rights.includes(scope))
    return permissions.length === 0 ? null : { name, permissions, via: { kind: 'token', id } }
  }
  return {
    identify({ session, token, named }) {
      if (mode === 'open') return anonymousCaller
      if (token !== undefined) {
        const found = tokens.find(token)
        return found && byToken(found)
      }
      if (mode === 'proxy') {
        if (!named) return null
        const { name, groups } = named
        return { name, permissions: ROLES[meet(name, groups)], via: { kind: 'proxy', id: name } }
      }
      const found = session === undefined ? null : sessions.find(session)
      return found && bySession(found)
    },
    createRevalidator() {
      const callers = [...sessions.list().map(bySession), ...tokens.list().map(byToken)]
      const live = new Map(callers.flatMap((one) => (one ? [[toKey(one), one] as const] : [])))
      return (caller) => {
        const { kind } = caller.via
        return kind === 'open' || kind === 'proxy' ? caller : (live.get(toKey(caller)) ?? null)
      }
    },
    meet,
    metAs: (name) => met.get(name),
    learn(accounts) {
      known = new Map(accounts.map((one) => [one.name, { ...one, password_id: toPasswordId(one) }]))
    },
  }
}

const toKey = ({ via: { kind, id } }: Caller) => `${kind} ${id}`
