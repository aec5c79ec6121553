import { LRUCache } from 'lru-cache'
import { AppError } from '#lib/contract/faults.ts'
import { toClientNetwork } from '#lib/http/ip-address.ts'

/** So many keys that are none may be tried in a minute; a right one is taken at any time. */
const TRIES = 10
const MINUTE_SECONDS = 60
/** Clients that are remembered: the longest silent goes first. */
const CLIENTS_MAX = 10_000

export type WrongKeys = {
  /** Throws AppError('rate_limited') where this client tried too many; those that are turned away count for nothing. */
  note(address: string, at: number): void
}

/** Who guesses keys is slowed, each client network for itself. `at` in seconds since 1970. */
export function createWrongKeys(): WrongKeys {
  const tried = new LRUCache<string, number[]>({ max: CLIENTS_MAX })
  return {
    note(address, at) {
      const client = toClientNetwork(address)
      // Instants of a clock that was set back since are none of this minute either.
      const isRecent = (instant: number) => instant > at - MINUTE_SECONDS && instant <= at
      const recent = (tried.get(client) ?? []).filter(isRecent)
      const [oldest = at] = recent
      if (recent.length >= TRIES) {
        throw new AppError('rate_limited', `${TRIES} wrong keys in a minute are too many.`, {
          retryAfterSeconds: Math.max(1, oldest + MINUTE_SECONDS - at),
        })
      }
      tried.set(client, [...recent, at])
    },
  }
}
