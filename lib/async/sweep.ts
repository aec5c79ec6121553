import { setImmediate as nextTurn } from 'node:timers/promises'
import { toWithdrawn } from '#lib/contract/faults.ts'

export type Sweep<T> = Generator<void, T, void>

const SLICE = 65_536

export function* slicesOf(length: number): Generator<readonly [start: number, stop: number]> {
  for (let start = 0; start < length; start += SLICE) {
    yield [start, Math.min(length, start + SLICE)]
  }
}

export function* pauseAfter(length: number): Sweep<void> {
  if (length > SLICE) yield
}

/** Throws AppError `busy` when aborted. */
export async function runSweep<T>(sweep: Sweep<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    const { done, value } = sweep.next()
    if (done) return value
    if (signal?.aborted) throw toWithdrawn(signal.reason)
    await nextTurn()
  }
}
