import { createFairQueue } from '#lib/async/serial-queue.ts'
import { AppError, toWithdrawn } from '#lib/contract/faults.ts'

type Turn = { client: string; isExpensive: boolean }

export type Turns = {
  /** Throws AppError `busy`. */
  take(turn: Turn, signal?: AbortSignal): Promise<() => void>
}

type TurnsOptions = {
  atOnce: number
  expensiveAtOnce: number
  waitingAtMost: number
  waitingAtMostOfOne: number
}

const RETRY_SECONDS = 2

/**
 * Reserves a slot for cheap queries, without starving expensive ones. Round-robin among clients.
 */
export function createTurns(options: TurnsOptions): Turns {
  const { atOnce, expensiveAtOnce, waitingAtMost, waitingAtMostOfOne } = options
  const cheap = createFairQueue<() => void>()
  const expensive = createFairQueue<() => void>()
  const busy = { all: 0, expensive: 0 }

  const next = () => {
    if (busy.all >= atOnce) return undefined
    const hasExpensiveSlot = busy.expensive < expensiveAtOnce
    if (busy.expensive === 0 && expensive.size() > 0) return expensive.shift()
    return cheap.shift() ?? (hasExpensiveSlot ? expensive.shift() : undefined)
  }
  const giveTurns = () => {
    for (let begin = next(); begin; begin = next()) begin()
  }
  const begin = (isExpensive: boolean) => {
    busy.all += 1
    if (isExpensive) busy.expensive += 1
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      busy.all -= 1
      if (isExpensive) busy.expensive -= 1
      giveTurns()
    }
  }
  const refuseMany = (client: string) => {
    const isFull = cheap.size() + expensive.size() >= waitingAtMost
    if (!isFull && cheap.sizeOf(client) + expensive.sizeOf(client) < waitingAtMostOfOne) return
    throw new AppError('busy', 'Too many requests at once.', {
      retryAfterSeconds: RETRY_SECONDS,
    })
  }
  return {
    async take({ client, isExpensive }, signal) {
      refuseMany(client)
      const queue = isExpensive ? expensive : cheap
      return await new Promise((resolve, reject) => {
        const start = () => {
          signal?.removeEventListener('abort', withdraw)
          resolve(begin(isExpensive))
        }
        const withdraw = () => {
          queue.remove(client, start)
          reject(toWithdrawn(signal?.reason))
        }
        if (signal?.aborted) return withdraw()
        signal?.addEventListener('abort', withdraw, { once: true })
        queue.push(client, start)
        giveTurns()
      })
    },
  }
}
