import { createRandom } from '#lib/statistics/random.ts'
/** A run of the loop: calls pass through it, and one of them fails. */
export type FaultPoint = {
  /** The call that fails, from 1; null in the first run, where none does. */
  failing: number | null
  /** Counts a call. Throws where it is the one to fail. */
  pass(): void
  /** The same function, each call of which passes first. */
  guard<A extends unknown[], R>(call: (...args: A) => Promise<R>): (...args: A) => Promise<R>
  /** Calls so far. */
  calls(): number
}

export type FaultLoop = {
  /** The work, with all that it needs made anew, and what must hold at its end, whichever call failed. */
  run: (point: FaultPoint) => Promise<void>
  /** What a failing call throws; which of them is chosen by the seed. */
  failures: readonly ((call: number) => unknown)[]
  seed: number
  /** Where there are more calls than this, so many of them are chosen by the seed. */
  most?: number
}

/**
 * Runs the work once and counts its calls, N, then once for each of the calls 1…N with that one failing. Gives N, and
 * the calls that a run was to fail and never came to. Throws what a run throws, with the call in front of it.
 */
export async function failEachCall(
  loop: FaultLoop,
): Promise<{ calls: number; unreached: number[] }> {
  const { run, failures, most = Number.POSITIVE_INFINITY } = loop
  const random = createRandom(loop.seed)
  const first = createPoint(null, () => null)
  await run(first)
  const calls = first.calls()
  const unreached: number[] = []
  for (const call of selectCalls(calls, most, random)) {
    const toError = failures[Math.floor(random() * failures.length)]
    const point = createPoint(call, toError ?? (() => new Error('A call failed.')))
    try {
      await run(point)
    } catch (cause) {
      throw new Error(`It does not recover from a failure of call ${call} of ${calls}.`, { cause })
    }
    if (point.calls() < call) unreached.push(call)
  }
  return { calls, unreached }
}

function createPoint(failing: number | null, toError: (call: number) => unknown): FaultPoint {
  let calls = 0
  const pass = () => {
    calls += 1
    if (calls === failing) throw toError(calls)
  }
  return {
    failing,
    pass,
    guard:
      (call) =>
      async (...args) => {
        pass()
        return await call(...args)
      },
    calls: () => calls,
  }
}

function selectCalls(calls: number, most: number, random: () => number): number[] {
  const all = Array.from({ length: calls }, (_, index) => index + 1)
  if (calls <= most) return all
  const drawn = all.map((call) => ({ call, lot: random() })).sort((a, b) => a.lot - b.lot)
  return drawn
    .slice(0, most)
    .map(({ call }) => call)
    .sort((a, b) => a - b)
}
