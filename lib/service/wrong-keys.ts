import { LRUCache } from 'lru-cache'
import { AppError } from '#lib/contract/faults.ts'
import { toClientNetwork } from '#lib/http/ip-address.ts'

/** Invalid keys per minute and client network; valid keys are never limited. */
const TRIES = 10
const MINUTE_SECONDS = 60
const CLIENTS_MAX = 10_000

export type WrongKeys = {
  /** Throws AppError('rate_limited'); rejected attempts are not counted. */
  note(address: string, at: number): void
}

export function createWrongKeys(): WrongKeys {
  const tried = new LRUCache<string, number[]>({ max: CLIENTS_MAX })
  return {
    note(address, at) {
      const client = toClientNetwork(address)
      // Also drops instants in the future, after a clock was set back.
      const isRecent = (instant: number) => instant > at - MINUTE_SECONDS && instant <= at
      const recent = (tried.get(client) ?? []).filter(isRecent)
      const [oldest = at] = recent
      if (recent.length >= TRIES) {
        throw new AppError('rate_limited', `Too many wrong keys: ${TRIES} in a minute.`, {
          retryAfterSeconds: Math.max(1, oldest + MINUTE_SECONDS - at),
        })
      }
      tried.set(client, [...recent, at])
    },
  }
}
