import { LRUCache } from 'lru-cache'

/** Failures are remembered for so long. */
const WINDOW_SECONDS = 900

/** So many failures in that time, and nothing more is tried: of one account from one address, of an account, of an address. */
const LIMITS = { pair: 5, account: 50, address: 100 }

/** What is remembered at most: whoever invents names or addresses pushes out his own first. */
const REMEMBERED = 20_000

/**
 * How often somebody guessed wrong. What slows a guesser does not slow others: an account that somebody else guesses at stays
 * open to its owner's address, and a crowd behind one address shares only its failures.
 */
export type Attempts = {
  /** Seconds until the next attempt is looked at; 0 where it is looked at now. */
  waitSeconds(account: string, address: string): number
  /** Before it is known whether it is one: many at once are as many guesses. */
  noteFailure(account: string, address: string): void
  /** It was none: whoever knows the password has not been guessing. */
  noteSuccess(account: string, address: string): void
}

export function createAttempts(now: () => number): Attempts {
  const failures = new LRUCache<string, number[]>({ max: REMEMBERED })

  const recent = (key: string) =>
    (failures.get(key) ?? []).filter((at) => now() - at < WINDOW_SECONDS)
  const wait = (key: string, limit: number) => {
    const of = recent(key)
    const first = of[of.length - limit]
    return first === undefined ? 0 : Math.max(1, Math.ceil(first + WINDOW_SECONDS - now()))
  }
  const keysOf = (account: string, address: string) =>
    [
      [`pair ${account} ${address}`, LIMITS.pair],
      [`account ${account}`, LIMITS.account],
      [`address ${address}`, LIMITS.address],
    ] as const
  return {
    waitSeconds: (account, address) =>
      Math.max(...keysOf(account, address).map(([key, limit]) => wait(key, limit))),
    noteFailure(account, address) {
      for (const [key, limit] of keysOf(account, address)) {
        failures.set(key, [...recent(key), now()].slice(-limit))
      }
    },
    noteSuccess(account, address) {
      const [[pair], ...others] = keysOf(account, address)
      failures.delete(pair)
      for (const [key] of others) failures.set(key, recent(key).slice(0, -1))
    },
  }
}
