import { QUALITIES, type Quality, qualityLabel } from '#lib/contract/quality.ts'
import { problem, type Reading, toQuoted } from './word-reading.ts'

/** `Flip within a day`, `flip-within-day` and `flip_within_day` are the same word. */
const toPlain = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '_')

/** The lens that a word stands for, by its name or its label; or those that may have been meant. */
export function readQuality(text: string): Quality | Reading {
  const word = toPlain(text)
  const namesOf = (name: Quality) => [name, toPlain(qualityLabel(name))]
  const found = QUALITIES.find((name) => namesOf(name).includes(word))
  if (found) return found
  const like = QUALITIES.filter((name) => namesOf(name).some((one) => one.includes(word)))
  const meant = word === '' || like.length === 0 ? QUALITIES : like
  return problem(
    `quality ${toQuoted(text)} is none of ${meant.join(', ')}`,
    meant.map((name) => `quality:${name}`),
  )
}
