import { createFairQueue, type FairQueue } from '#lib/async/fair-queue.ts'
import { AppError } from '#lib/contract/faults.ts'

export type PasswordTurn = { client: string; isKnown: boolean }

/** Throws AppError `busy` if the queue is or becomes full. */
type PasswordTurns = <T>(turn: PasswordTurn, work: () => Promise<T>) => Promise<T>

type Waiting = { begin: () => void; turnAway: () => void }

const PLACES = { strangers: 32, known: 8 }
const RETRY_SECONDS = 2

/** In a full queue the client with the most entries loses its newest. */
export function createPasswordTurns(): PasswordTurns {
  const strangers = createFairQueue<Waiting>()
  const known = createFairQueue<Waiting>()
  let isWorking = false
  let last = known

  const next = () => {
    if (isWorking) return
    const other = last === known ? strangers : known
    last = other.size() > 0 ? other : last
    last.shift()?.begin()
  }
  const wait = (queue: FairQueue<Waiting>, client: string) =>
    new Promise<void>((resolve, reject) => {
      queue.push(client, {
        begin() {
          isWorking = true
          resolve()
        },
        turnAway: () => reject(busy()),
      })
      next()
    })
  return async ({ client, isKnown }, work) => {
    const queue = isKnown ? known : strangers
    if (queue.size() >= (isKnown ? PLACES.known : PLACES.strangers)) makeRoom(queue, client)
    await wait(queue, client)
    try {
      return await work()
    } finally {
      isWorking = false
      next()
    }
  }
}

function makeRoom(queue: FairQueue<Waiting>, client: string): void {
  const largest = queue.selectLargest()
  if (largest === undefined || queue.sizeOf(largest) <= queue.sizeOf(client) + 1) throw busy()
  queue.pop(largest)?.turnAway()
}

const busy = () =>
  new AppError('busy', 'Too many sign-ins at once. Try again in a moment.', {
    retryAfterSeconds: RETRY_SECONDS,
  })
