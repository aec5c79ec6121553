import { LRUCache } from 'lru-cache'
import { toClientNetwork } from '#lib/http/ip-address.ts'
import type { PasswordTurn } from './password-turns.ts'

/** Failures are remembered for so long. */
const WINDOW_SECONDS = 900

/** So many failures in that time, and nothing more is tried: of one account from one place, of an account, of a place. */
const LIMITS = { pair: 5, account: 50, place: 100 }

/** What is remembered at most: whoever invents names or addresses pushes out his own first. */
const REMEMBERED = 20_000

/**
 * How often somebody guessed wrong. What slows a guesser does not slow others: where its owner has come from lately, an account
 * stays open however many guess at it elsewhere, and a crowd behind one address shares only its failures.
 */
export type Attempts = {
  /** Seconds until the next attempt is looked at; 0 where it is looked at now. */
  waitSeconds(account: string, address: string): number
  /** In whose turn an attempt is looked at: that of its network, or of an account that has signed in from there lately. */
  toTurn(account: string, address: string): PasswordTurn
  /**
   * Counts one before it is known what it is: many at once are as many guesses. What it gives is told what it was: a wrong
   * guess stays counted, a right one forgets those before it, and of one that was never looked at nothing is left.
   */
  begin(account: string, address: string): (was: 'right' | 'wrong' | 'not looked at') => void
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
      return { client: isKnown ? pair : place, isKnown }
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

/** One of them less. */
function without(instants: readonly number[], at: number): number[] {
  const index = instants.lastIndexOf(at)
  return instants.filter((_, other) => other !== index)
}
