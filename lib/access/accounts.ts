import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { type Role, role } from '#lib/contract/answers/access.ts'
import type { PasswordTurn } from './password-turns.ts'
import { type Passwords, selectPasswordProblem } from './passwords.ts'
import type { AccessRecords } from './records.ts'

export class AccessProblem extends Error {
  override name = 'AccessProblem'
}

const NAME = /^[a-z0-9][a-z0-9._@-]{0,63}$/

/** Instants are seconds since 1970. */
const account = z.object({
  name: z.string(),
  role,
  /** Argon2id, PHC string format. */
  password: z.string(),
  created_at: z.int(),
  password_at: z.int(),
  locked_at: z.nullable(z.int()),
})
export type Account = z.infer<typeof account>

const accountsFile = z.object({ accounts: z.array(account) })

type AccountsDeps = { records: AccessRecords; now: () => number; passwords: Passwords }

export type Accounts = {
  list(): Promise<readonly Account[]>
  add(name: string, role: Role, password: string): Promise<void>
  setPassword(name: string, password: string): Promise<Account>
  setRole(name: string, role: Role): Promise<void>
  setLocked(name: string, isLocked: boolean): Promise<void>
  remove(name: string): Promise<void>
  /** Null if wrong or locked. An unknown name takes as long as a known one. */
  signIn(name: string, password: string, turn: PasswordTurn): Promise<Account | null>
}

/** Different for every password an account ever has, because the hash is salted. */
export const toPasswordId = ({ password }: Account): string =>
  createHash('sha256').update(password).digest('base64url')

export const toAccountName = (text: string): string => text.trim().toLowerCase()

export function createAccounts({ records, now, passwords }: AccountsDeps): Accounts {
  const file = records.open('accounts', accountsFile)
  const list = async () => (await file.load())?.accounts ?? []
  const change = async <T extends Account | null>(
    name: string,
    changed: (found: Account) => T,
  ): Promise<T> => {
    let made: { account: T } | undefined
    await file.update((kept) => {
      const accounts = kept?.accounts ?? []
      const found = accounts.find((one) => one.name === toAccountName(name))
      if (!found) throw new AccessProblem(`No account is named ${name}.`)
      const account = changed(found)
      made = { account }
      return { accounts: accounts.flatMap((one) => (one === found ? (account ?? []) : [one])) }
    })
    if (!made) throw new Error('nothing was changed')
    return made.account
  }
  const toHash = async (name: string, password: string) => {
    const problem = selectPasswordProblem(password, name)
    if (problem !== null) throw new AccessProblem(`The password ${problem}.`)
    return await passwords.hash(password)
  }
  return {
    list,
    async add(given, role, password) {
      const name = toAccountName(given)
      if (!NAME.test(name)) {
        throw new AccessProblem(
          'A name has at most 64 letters, digits, dots, dashes, underscores and @, and begins with a letter or digit.',
        )
      }
      const taken = () => new AccessProblem(`An account named ${name} already exists.`)
      if ((await list()).some((one) => one.name === name)) throw taken()
      const hashed = await toHash(name, password)
      const at = Math.floor(now())
      const made: Account = {
        name,
        role,
        password: hashed,
        created_at: at,
        password_at: at,
        locked_at: null,
      }
      await file.update((kept) => {
        const others = kept?.accounts ?? []
        if (others.some((one) => one.name === name)) throw taken()
        return { accounts: [...others, made].sort((a, b) => (a.name < b.name ? -1 : 1)) }
      })
    },
    async setPassword(name, password) {
      const hashed = await toHash(toAccountName(name), password)
      const password_at = Math.floor(now())
      return await change(name, (found) => ({ ...found, password: hashed, password_at }))
    },
    async setRole(name, role) {
      await change(name, (found) => ({ ...found, role }))
    },
    async setLocked(name, isLocked) {
      await change(name, (found) => ({
        ...found,
        locked_at: isLocked ? (found.locked_at ?? Math.floor(now())) : null,
      }))
    },
    async remove(name) {
      await change(name, () => null)
    },
    async signIn(name, password, turn) {
      const found = (await list()).find((one) => one.name === toAccountName(name)) ?? null
      const isRight = await passwords.isRight(password, found?.password ?? null, turn)
      return isRight && found?.locked_at === null ? found : null
    },
  }
}
