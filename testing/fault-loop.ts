import { createRandom } from './random.ts'
export type FaultPoint = {
  /** From 1. Null in the first run. */
  failing: number | null
  pass(): void
  guard<A extends unknown[], R>(call: (...args: A) => Promise<R>): (...args: A) => Promise<R>
  calls(): number
}

export type FaultLoop = {
  /** Sets up its own state and asserts what must hold whichever call failed. */
  run: (point: FaultPoint) => Promise<void>
  failures: readonly ((call: number) => unknown)[]
  seed: number
  /** With more calls, the seed chooses a sample. */
  most?: number
}

/**
 * Counts the calls N of one run, then fails each of 1…N in turn. Returns N and the calls never
 * reached.
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
