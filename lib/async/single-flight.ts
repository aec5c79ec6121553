import { toWithdrawn } from '#lib/contract/faults.ts'

type SingleFlight<T> = {
  /**
   * Joins the run under the same key. Rejects with AppError `busy` when `signal` aborts; the work
   * aborts once no caller is left.
   */
  join(
    key: string,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>
}

type Flight<T> = { result: Promise<T>; waiting: number; controller: AbortController }

export function createSingleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Flight<T>>()

  const begin = (key: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> => {
    const controller = new AbortController()
    const flight: Flight<T> = { result: work(controller.signal), waiting: 0, controller }
    const end = () => {
      if (flights.get(key) === flight) flights.delete(key)
    }
    flights.set(key, flight)
    flight.result.then(end, end)
    return flight
  }
  return {
    async join(key, signal, work) {
      if (signal?.aborted) throw toWithdrawn(signal.reason)
      const flight = flights.get(key) ?? begin(key, work)
      flight.waiting += 1
      try {
        return await (signal ? untilAborted(flight.result, signal) : flight.result)
      } finally {
        flight.waiting -= 1
        if (flight.waiting === 0 && flights.get(key) === flight) {
          flights.delete(key)
          flight.controller.abort(signal?.reason)
        }
      }
    },
  }
}

async function untilAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  let leave = () => {}
  const left = new Promise<never>((_, reject) => {
    leave = () => reject(toWithdrawn(signal.reason))
  })
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([result, left])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
