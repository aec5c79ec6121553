import { LRUCache } from 'lru-cache'
import { toClientNetwork, toProviderNetwork } from '#lib/http/ip-address.ts'
import type { PasswordTurn } from './password-turns.ts'

const WINDOW_SECONDS = 900

/** Failures per account and network, per account, per network. */
const LIMITS = { pair: 5, account: 50, place: 100 }

const REMEMBERED = 20_000

/** Guessing elsewhere never locks out an owner on a network that has signed in before. */
export type Attempts = {
  waitSeconds(account: string, address: string): number
  toTurn(account: string, address: string): PasswordTurn
  /**
   * Counts the attempt before its outcome is known, so parallel guesses count too. Pass the outcome
   * to the returned function.
   */
  begin(account: string, address: string): (was: 'right' | 'wrong' | 'ignored') => void
}

export function createAttempts(now: () => number): Attempts {
  const failures = new LRUCache<string, number[]>({ max: REMEMBERED })
  const comesFrom = new LRUCache<string, true>({ max: REMEMBERED })

  const recent = (key: string) =>
    (failures.get(key) ?? []).filter((at) => now() - at < WINDOW_SECONDS)
  const wait = (key: string, limit: number) => {
    const of = recent(key)
    const first = of[of.length - limit]
    return first === undefined ? 0 : Math.max(1, Math.ceil(first + WINDOW_SECONDS - now()))
  }
  const keysOf = (account: string, address: string) => {
    const place = toClientNetwork(address)
    return {
      pair: `pair ${account} ${place}`,
      account: `account ${account}`,
      place: `place ${place}`,
    }
  }
  return {
    waitSeconds(account, address) {
      const keys = keysOf(account, address)
      const elsewhere = comesFrom.has(keys.pair) ? 0 : wait(keys.account, LIMITS.account)
      return Math.max(wait(keys.pair, LIMITS.pair), elsewhere, wait(keys.place, LIMITS.place))
    },
    toTurn(account, address) {
      const { pair, place } = keysOf(account, address)
      const isKnown = comesFrom.has(pair)
      const provider = isKnown ? '' : toProviderNetwork(address)
      return { provider, client: isKnown ? pair : place, isKnown }
    },
    begin(account, address) {
      const keys = keysOf(account, address)
      const at = now()
      for (const [of, key] of Object.entries(keys)) {
        failures.set(key, [...recent(key), at].slice(-LIMITS[of as keyof typeof LIMITS]))
      }
      return (was) => {
        if (was === 'wrong') return
        for (const key of Object.values(keys)) failures.set(key, without(recent(key), at))
        if (was !== 'right') return
        failures.delete(keys.pair)
        comesFrom.set(keys.pair, true)
      }
    },
  }
}

function without(instants: readonly number[], at: number): number[] {
  const index = instants.lastIndexOf(at)
  return instants.filter((_, other) => other !== index)
}
