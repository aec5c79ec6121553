import type { Progress, StepProgress } from '#lib/contract/answers/progress.ts'

/** The pace is that of about the last so many seconds: it follows what happens, and does not jump. */
const WINDOW_SECONDS = 10

/** Makes of what is said of a step what can be said to people: since when it runs, how fast, how much longer. */
export type Pace = {
  /** The step as it is now; null where none runs. */
  see(step: StepProgress | null): Progress | null
}

type Sample = { at: number; done: number }

/** `now` in seconds since 1970. Costs next to nothing however often it is asked: one sample a second is kept. */
export function createPace(now: () => number): Pace {
  let seen: { step: StepProgress['step']; since: number } | null = null
  let samples: Sample[] = []

  const isAnother = ({ step, done }: StepProgress, at: number) => {
    const last = samples.at(-1)
    return !last || seen?.step !== step || done < last.done || at < last.at
  }
  return {
    see(step) {
      if (!step) {
        samples = []
        return null
      }
      const at = now()
      if (isAnother(step, at)) {
        samples = []
        seen = { step: step.step, since: at }
      }
      if (samples.at(-1)?.at !== at) samples.push({ at, done: step.done })
      // What is left at the front is the newest that is as old as the window, or the first of all.
      while (samples[1] && samples[1].at <= at - WINDOW_SECONDS) samples.shift()
      const per_second = toRate(samples[0], { at, done: step.done })
      return {
        ...step,
        since: seen?.since ?? at,
        per_second,
        remaining_seconds: toRemaining(step, per_second),
      }
    },
  }
}

function toRate(from: Sample | undefined, to: Sample): number | null {
  if (!from || to.at <= from.at) return null
  return Math.round(((to.done - from.done) / (to.at - from.at)) * 10) / 10
}

function toRemaining({ done, total }: StepProgress, perSecond: number | null): number | null {
  if (total === null || !perSecond) return null
  return Math.max(0, Math.ceil((total - done) / perSecond))
}
