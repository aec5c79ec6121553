import { setImmediate as nextTurn } from 'node:timers/promises'
import { toWithdrawn } from '#lib/contract/faults.ts'

/** A calculation that yields between slices of some ten milliseconds. */
export type Sweep<T> = Generator<void, T, void>

const SLICE = 65_536

/** The slices of `length` entries, as pairs of start and stop. */
export function* slicesOf(length: number): Generator<readonly [start: number, stop: number]> {
  for (let start = 0; start < length; start += SLICE) {
    yield [start, Math.min(length, start + SLICE)]
  }
}

/** Yields between two steps that each walk over `length` entries, if that takes long. */
export function* pauseAfter(length: number): Sweep<void> {
  if (length > SLICE) yield
}

/** Runs a calculation to its end; other work gets its turn between slices. Throws AppError('busy') when aborted. */
export async function runSweep<T>(sweep: Sweep<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    const { done, value } = sweep.next()
    if (done) return value
    if (signal?.aborted) throw toWithdrawn(signal.reason)
    await nextTurn()
  }
}
