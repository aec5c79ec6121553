import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { DateTime } from 'luxon'
import * as z from 'zod/mini'
import { AppError } from '#lib/contract/faults.ts'
import {
  createSharedFile,
  loadJsonFile,
  readTextFile,
  replaceFile,
  type Sleep,
} from '#lib/files/json-file.ts'

const KEY_BYTES = 24
const KEY_MAX_LENGTH = 512
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

type KeyLimits = { perMinute?: number | null; perMonth?: number | null }

/** The message is for the operator. */
export class KeyProblem extends Error {}

/** Only hashes are stored. */
export type Keys = {
  /** Throws AppError('unauthorized'). */
  authenticate(key: string | null): Promise<StoredKey>
  /** Throws KeyProblem if the name is taken or invalid. */
  create(name: string, limits?: KeyLimits): Promise<string>
  list(): Promise<readonly StoredKey[]>
  /** Throws KeyProblem if the key is unknown or already revoked. */
  revoke(name: string): Promise<void>
  ensure(name: string, limits?: KeyLimits): Promise<string>
}

type KeysDeps = { dir: string; now: () => number; sleep: Sleep }

export function createKeys({ dir, now, sleep }: KeysDeps): Keys {
  const file = createSharedFile({ path: join(dir, 'keys.json'), schema: keyFile, now, sleep })
  const load = async () => (await file.load())?.keys ?? []
  const update = (change: (keys: readonly StoredKey[]) => readonly StoredKey[]) =>
    file.update((kept) => ({ keys: [...change(kept?.keys ?? [])] }))

  async function add(name: string, limits: KeyLimits, replaces: boolean): Promise<string> {
    if (!NAME.test(name)) {
      throw new KeyProblem('a name has letters, digits, dots, dashes, underscores: at most 64')
    }
    const key = `bw_${randomBytes(KEY_BYTES).toString('base64url')}`
    await update((keys) => {
      const others = replaces ? keys.filter((stored) => stored.name !== name) : keys
      if (others.some((stored) => stored.name === name)) {
        throw new KeyProblem(`a key named ${name} already exists, active or revoked`)
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
      const stored = selectKey(await load(), key)
      if (stored === null) throw toRefusal('unknown')
      if (stored.revoked_at !== null) throw toRefusal('revoked')
      return stored
    },
    create: (name, limits = {}) => add(name, limits, false),
    list: load,
    revoke: (name) =>
      update((keys) => {
        const stored = keys.find((key) => key.name === name)
        if (stored === undefined) throw new KeyProblem(`no key is named ${name}`)
        if (stored.revoked_at !== null) throw new KeyProblem(`${name} is already revoked`)
        return keys.map((key) => (key === stored ? { ...key, revoked_at: now() } : key))
      }),
    async ensure(name, limits = {}) {
      const path = join(dir, `${name}.key`)
      const kept = (await readTextFile(path))?.trim() ?? ''
      const stored = selectKey(await load(), kept)
      if (stored?.name === name && stored.revoked_at === null) return kept
      const key = await add(name, limits, true)
      await replaceFile(path, `${key}\n`)
      return key
    },
  }
}

const toHash = (key: string) => createHash('sha256').update(key).digest()

/** Compares every hash, so that timing reveals nothing. */
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

const limit = z.nullable(z.int().check(z.gte(1)))

const storedKey = z.object({
  name: z.string(),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  created_at: z.int(),
  revoked_at: z.nullable(z.int()),
  /** Null: service default. */
  per_minute: limit,
  /** Null: no quota. */
  per_month: limit,
})
export type StoredKey = z.infer<typeof storedKey>

const keyFile = z.object({ keys: z.array(storedKey) })

const PER_MINUTE = 60
const MINUTE = 60

const usageFile = z.object({ month: z.string(), used: z.record(z.string(), z.int()) })

export type Limits = {
  /**
   * Throws AppError('rate_limited'); rejected requests are not counted. Quota use is on disk before
   * this resolves.
   */
  charge(key: StoredKey, at: number): Promise<void>
}

export async function createLimits(dir: string): Promise<Limits> {
  const path = join(dir, 'usage.json')
  const stored = await loadJsonFile(path, usageFile)
  const month = { name: stored?.month ?? '', used: new Map(Object.entries(stored?.used ?? {})) }
  const recent = new Map<string, number[]>()
  const save = createSaver(() =>
    replaceFile(path, JSON.stringify({ month: month.name, used: Object.fromEntries(month.used) })),
  )
  return {
    async charge(key, at) {
      const id = key.sha256
      const instants = (recent.get(id) ?? []).filter(
        (instant) => instant > at - MINUTE && instant <= at,
      )
      const perMinute = key.per_minute ?? PER_MINUTE
      const oldest = instants[instants.length - perMinute]
      if (oldest !== undefined) throw tooMany('a minute', perMinute, oldest + MINUTE - at)
      if (key.per_month !== null) {
        const name = toMonth(at).toFormat('yyyy-MM')
        if (name !== month.name) {
          month.name = name
          month.used.clear()
        }
        const used = month.used.get(id) ?? 0
        if (used >= key.per_month) throw tooMany('a month', key.per_month, secondsToNextMonth(at))
        month.used.set(id, used + 1)
      }
      recent.set(id, [...instants, at])
      if (key.per_month !== null) await save()
    },
  }
}

const toMonth = (at: number) => DateTime.fromSeconds(at, { zone: 'utc' }).startOf('month')

const secondsToNextMonth = (at: number) => toMonth(at).plus({ months: 1 }).toUnixInteger() - at

const tooMany = (span: string, limit: number, waitSeconds: number) =>
  new AppError('rate_limited', `This key allows ${limit} requests ${span}.`, {
    retryAfterSeconds: Math.max(1, waitSeconds),
  })

/** Calls made during a run share the next one. */
function createSaver(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  return () => {
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null
        running = work()
        return running
      })
    return next
  }
}
