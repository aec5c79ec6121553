import fc from 'fast-check'

const WRITTEN_SEED = 20_261

/** `npm run explore` sets other seeds. */
export const SEED = Number(process.env.DRAW_SEED ?? WRITTEN_SEED)

const EFFORT = Number(process.env.EFFORT ?? 0.1)

/** Shrinking takes minutes: only `npm run explore` allows it. */
const SHRINK_MS = Number(process.env.SHRINK_MS ?? 0)

export const draws = (all: number): number => Math.max(1, Math.ceil(all * EFFORT))

/** Throws if the fixed seed yields at most `least` cases of interest. */
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
