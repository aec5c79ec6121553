import fc from 'fast-check'

const WRITTEN_SEED = 20_261

/** The seed of every random test. `npm test` always uses this one; `npm run explore` sets others. */
export const SEED = Number(process.env.DRAW_SEED ?? WRITTEN_SEED)

/** The share of its full number of draws that a random test makes. `EFFORT=1` makes all of them. */
const EFFORT = Number(process.env.EFFORT ?? 0.1)

/** Only `npm run explore` looks for the smallest failing case: most draws open an archive, so that takes minutes. */
const SHRINK_MS = Number(process.env.SHRINK_MS ?? 0)

/** How often a random test draws, out of `all`. */
export const draws = (all: number): number => Math.max(1, Math.ceil(all * EFFORT))

/** Throws if the draws of the written seed had no more than `least` cases of interest. Those of other seeds may have none. */
export function expectReach(cases: number, least: number): void {
  if (SEED !== WRITTEN_SEED || cases > least) return
  throw new Error(`only ${cases} of the draws say something: there have to be more than ${least}`)
}

// A setup file of vitest, so that it holds for every property of the process.
fc.configureGlobal({
  seed: SEED,
  numRuns: draws(400),
  ...(SHRINK_MS > 0 ? { interruptAfterTimeLimit: SHRINK_MS } : { endOnFailure: true }),
})
