import { createFairQueue } from '#lib/async/fair-queue.ts'
import { AppError, toWithdrawn } from '#lib/contract/faults.ts'

export type Turn = { client: string; isDear: boolean }

export type Turns = {
  /** Throws AppError `busy`. */
  take(turn: Turn, signal?: AbortSignal): Promise<() => void>
}

type TurnsOptions = {
  atOnce: number
  dearAtOnce: number
  waitingAtMost: number
  waitingAtMostOfOne: number
}

const RETRY_SECONDS = 2

/**
 * Reserves a slot for cheap queries, without starving expensive ones. Round-robin among clients.
 */
export function createTurns(options: TurnsOptions): Turns {
  const { atOnce, dearAtOnce, waitingAtMost, waitingAtMostOfOne } = options
  const cheap = createFairQueue<() => void>()
  const dear = createFairQueue<() => void>()
  const busy = { all: 0, dear: 0 }

  const next = () => {
    if (busy.all >= atOnce) return undefined
    const mayBeDear = busy.dear < dearAtOnce
    if (busy.dear === 0 && dear.size() > 0) return dear.shift()
    return cheap.shift() ?? (mayBeDear ? dear.shift() : undefined)
  }
  const giveTurns = () => {
    for (let begin = next(); begin; begin = next()) begin()
  }
  const begin = (isDear: boolean) => {
    busy.all += 1
    if (isDear) busy.dear += 1
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      busy.all -= 1
      if (isDear) busy.dear -= 1
      giveTurns()
    }
  }
  const refuseMany = (client: string) => {
    const isFull = cheap.size() + dear.size() >= waitingAtMost
    if (!isFull && cheap.sizeOf(client) + dear.sizeOf(client) < waitingAtMostOfOne) return
    throw new AppError('busy', 'Too many requests at once.', {
      retryAfterSeconds: RETRY_SECONDS,
    })
  }
  return {
    async take({ client, isDear }, signal) {
      refuseMany(client)
      const queue = isDear ? dear : cheap
      return await new Promise((resolve, reject) => {
        const start = () => {
          signal?.removeEventListener('abort', withdraw)
          resolve(begin(isDear))
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
