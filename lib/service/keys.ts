import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { AppError } from '#lib/contract/faults.ts'
import { readTextFile, replaceFile } from './folder-file.ts'
import { createKeyFile, type Sleep, type StoredKey } from './key-file.ts'

const KEY_BYTES = 24
const KEY_MAX_LENGTH = 512
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

export type KeyLimits = { perMinute?: number | null; perMonth?: number | null }

/** A problem with what an operator asked of the keys; its message is for the operator. */
export class KeyProblem extends Error {}

/** The keys of the service. Keys themselves are shown once and kept nowhere; only their hashes are. */
export type Keys = {
  /** The key's record. Throws AppError('unauthorized') that says missing, unknown or revoked. */
  authenticate(key: string | null): Promise<StoredKey>
  /** Makes a key and gives it, once. Throws KeyProblem for a name that is taken or cannot be one. */
  create(name: string, limits?: KeyLimits): Promise<string>
  list(): Promise<readonly StoredKey[]>
  /** Throws KeyProblem where no key has the name or it is revoked already. */
  revoke(name: string): Promise<void>
  /** The key that the dashboard itself uses, kept beside its hash; made anew where the file is gone or not accepted. */
  ensure(name: string, limits?: KeyLimits): Promise<string>
}

export type KeysDeps = { dir: string; now: () => number; sleep: Sleep }

export function createKeys({ dir, now, sleep }: KeysDeps): Keys {
  const file = createKeyFile({ dir, now, sleep })

  async function add(name: string, limits: KeyLimits, replaces: boolean): Promise<string> {
    if (!NAME.test(name)) {
      throw new KeyProblem('a name has letters, digits, dots, dashes, underscores: at most 64')
    }
    const key = `bw_${randomBytes(KEY_BYTES).toString('base64url')}`
    await file.update((keys) => {
      const others = replaces ? keys.filter((stored) => stored.name !== name) : keys
      if (others.some((stored) => stored.name === name)) {
        throw new KeyProblem(`there is a key named ${name} already, in use or revoked`)
      }
      return [...others, toStored(name, key, limits)]
    })
    return key
  }

  const toStored = (name: string, key: string, limits: KeyLimits): StoredKey => ({
    name,
    sha256: toHash(key).toString('hex'),
    created_at: now(),
    revoked_at: null,
    per_minute: limits.perMinute ?? null,
    per_month: limits.perMonth ?? null,
  })

  return {
    async authenticate(key) {
      if (key === null || key === '') throw toRefusal('missing')
      const stored = selectKey(await file.load(), key)
      if (stored === null) throw toRefusal('unknown')
      if (stored.revoked_at !== null) throw toRefusal('revoked')
      return stored
    },
    create: (name, limits = {}) => add(name, limits, false),
    list: () => file.load(),
    revoke: (name) =>
      file.update((keys) => {
        const stored = keys.find((key) => key.name === name)
        if (stored === undefined) throw new KeyProblem(`no key is named ${name}`)
        if (stored.revoked_at !== null) throw new KeyProblem(`${name} is revoked already`)
        return keys.map((key) => (key === stored ? { ...key, revoked_at: now() } : key))
      }),
    async ensure(name, limits = {}) {
      const path = join(dir, `${name}.key`)
      const kept = (await readTextFile(path))?.trim() ?? ''
      const stored = selectKey(await file.load(), kept)
      if (stored?.name === name && stored.revoked_at === null) return kept
      const key = await add(name, limits, true)
      await replaceFile(path, `${key}\n`)
      return key
    },
  }
}

const toHash = (key: string) => createHash('sha256').update(key).digest()

/** Compares hashes, all of them each time, so that how long it takes says nothing about any key. */
function selectKey(keys: readonly StoredKey[], key: string): StoredKey | null {
  const hash = toHash(key.slice(0, KEY_MAX_LENGTH))
  let found: StoredKey | null = null
  for (const stored of keys) {
    if (timingSafeEqual(Buffer.from(stored.sha256, 'hex'), hash)) found = stored
  }
  return found
}

const REFUSALS = {
  missing: 'The API key is missing: send it as api_key in the query or as a bearer token.',
  unknown: 'The API key is unknown.',
  revoked: 'The API key is revoked.',
}

const toRefusal = (why: keyof typeof REFUSALS) => new AppError('unauthorized', REFUSALS[why])
