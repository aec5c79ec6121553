import { join } from 'node:path'
import { DateTime } from 'luxon'
import * as z from 'zod/mini'
import { AppError } from '#lib/contract/faults.ts'
import { loadJsonFile, replaceFile } from './json-file.ts'
import type { StoredKey } from './keys.ts'

export const PER_MINUTE = 60
const MINUTE = 60

const usageFile = z.object({ month: z.string(), used: z.record(z.string(), z.int()) })

/** Counts the requests of each key against its limits. */
export type Limits = {
  /**
   * Counts a request at `at` (seconds), or throws AppError('rate_limited') with when to come back; a refused request is
   * not counted. A request of a key with a monthly quota is on disk before this ends.
   */
  charge(key: StoredKey, at: number): Promise<void>
}

/** `dir` keeps what was used of the monthly quotas across restarts. Months are UTC's. */
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
  new AppError('rate_limited', `This key may ask ${limit} times ${span}.`, {
    retryAfterSeconds: Math.max(1, waitSeconds),
  })

/** Runs `work` so that whatever was changed before a call is saved when that call ends; waiting calls share a run. */
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
