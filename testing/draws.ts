import { afterAll } from 'vitest'

/** The share of its draws that a random test makes in a usual run; `EFFORT=1` makes all, `EFFORT=10` ten times as many. */
const EFFORT = Number(process.env.EFFORT ?? 0.25)

const questions = { worth: 0, asked: 0 }

/**
 * How often a random test draws that is worth `all` draws, each of so many questions. Each run draws anew, and says its
 * seed where it fails: what one run leaves out the next ones come to.
 */
export function repeats(all: number, questionsPerDraw = 1): number {
  const draws = Math.max(1, Math.ceil(all * EFFORT))
  questions.worth += all * questionsPerDraw
  questions.asked += draws * questionsPerDraw
  return draws
}

// Once for each file of tests that imports this.
afterAll(() => {
  const { worth, asked } = questions
  if (worth > 0) console.info(`Random questions: ${asked} of ${worth} asked (EFFORT=${EFFORT}).`)
})
