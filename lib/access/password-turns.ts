import { createFairQueue, type FairQueue } from '#lib/async/serial-queue.ts'
import { AppError } from '#lib/contract/faults.ts'

export type PasswordTurn = { provider: string; client: string; isKnown: boolean }

/** Throws AppError `busy` if the queue is or becomes full. */
type PasswordTurns = <T>(turn: PasswordTurn, work: () => Promise<T>) => Promise<T>

type Waiting = { begin: () => void; turnAway: () => void }

const PLACES = { strangers: 32, known: 8 }
const RETRY_SECONDS = 2

/**
 * Turns go round the providers, and round the clients of each. In a full queue the largest client
 * of the largest provider loses its newest entry.
 */
export function createPasswordTurns(): PasswordTurns {
  const strangers = createNestedQueue<Waiting>()
  const known = createNestedQueue<Waiting>()
  let isWorking = false
  let last = known

  const next = () => {
    if (isWorking) return
    const other = last === known ? strangers : known
    last = other.size() > 0 ? other : last
    last.shift()?.begin()
  }
  const wait = (queue: NestedQueue<Waiting>, turn: PasswordTurn) =>
    new Promise<void>((resolve, reject) => {
      queue.push(turn, {
        begin() {
          isWorking = true
          resolve()
        },
        turnAway: () => reject(busy()),
      })
      next()
    })
  return async (turn, work) => {
    const { isKnown } = turn
    const queue = isKnown ? known : strangers
    if (queue.size() >= (isKnown ? PLACES.known : PLACES.strangers)) {
      const displaced = queue.displace(turn)
      if (!displaced) throw busy()
      displaced.turnAway()
    }
    await wait(queue, turn)
    try {
      return await work()
    } finally {
      isWorking = false
      next()
    }
  }
}

type TurnKey = Pick<PasswordTurn, 'provider' | 'client'>

type NestedQueue<T> = {
  size(): number
  push(key: TurnKey, waiting: T): void
  shift(): T | undefined
  /** Makes room for one more, if another place has at least two more entries. */
  displace(key: TurnKey): T | undefined
}

function createNestedQueue<T>(): NestedQueue<T> {
  const clientsOf = new Map<string, FairQueue<T>>()
  // One entry for each one that waits.
  const providers = createFairQueue<string>()
  const take = (provider: string, select: (clients: FairQueue<T>) => T | undefined) => {
    const clients = clientsOf.get(provider)
    const taken = clients && select(clients)
    if (clients?.size() === 0) clientsOf.delete(provider)
    return taken
  }
  return {
    size: providers.size,
    push({ provider, client }, waiting) {
      const clients = clientsOf.get(provider) ?? createFairQueue<T>()
      clientsOf.set(provider, clients)
      clients.push(client, waiting)
      providers.push(provider, provider)
    },
    shift() {
      const provider = providers.shift()
      return provider === undefined ? undefined : take(provider, (clients) => clients.shift())
    },
    displace({ provider, client }) {
      const other = selectLarger(providers, provider)
      const from = other ?? provider
      const displaced = take(from, (clients) => {
        const largest = other ? clients.selectLargest() : selectLarger(clients, client)
        return largest === undefined ? undefined : clients.pop(largest)
      })
      if (displaced !== undefined) providers.pop(from)
      return displaced
    },
  }
}

function selectLarger(queue: FairQueue<unknown>, own: string): string | undefined {
  const largest = queue.selectLargest()
  const isLarger = largest !== undefined && queue.sizeOf(largest) > queue.sizeOf(own) + 1
  return isLarger ? largest : undefined
}

const busy = () =>
  new AppError('busy', 'Too many sign-ins at once. Try again in a moment.', {
    retryAfterSeconds: RETRY_SECONDS,
  })
