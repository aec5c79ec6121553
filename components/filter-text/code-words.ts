import { ACTION_LABELS, RATING_LABELS } from '#lib/contract/rating-codes.ts'

/** A code with its label, as the lists of both kinds hold them. */
export type Code = { code: number; label: string }

const toCodes = (labels: Readonly<Record<number, string>>): readonly Code[] =>
  Object.entries(labels).map(([code, label]) => ({ code: Number(code), label }))

/** The codes that have labels, from the lowest to the highest. */
export const CODES: Readonly<Record<'rating' | 'action', readonly Code[]>> = {
  rating: toCodes(RATING_LABELS),
  action: toCodes(ACTION_LABELS),
}

export const isCodeName = (name: string): name is 'rating' | 'action' => Object.hasOwn(CODES, name)

const NUMBER = /^-?\d+$/

/** `Strong Buy`, `strong-buy` and `strong_buy` are the same word. */
const toPlain = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')

/**
 * The code that a label stands for; a number is left as it is. Where the text is no label, the codes whose labels hold
 * it, or all.
 */
export function readCode(
  name: 'rating' | 'action',
  text: string,
): { code: string } | { like: readonly Code[] } {
  if (NUMBER.test(text)) return { code: text }
  const word = toPlain(text)
  const found = CODES[name].find(({ label }) => toPlain(label) === word)
  if (found) return { code: String(found.code) }
  const like = findCodes(name, text)
  return { like: like.length > 0 ? like : CODES[name] }
}

/** The codes whose label holds a text, or whose number it is. */
export function findCodes(name: 'rating' | 'action', text: string): readonly Code[] {
  const word = toPlain(text)
  return CODES[name].filter(
    ({ code, label }) => String(code) === word || toPlain(label).includes(word),
  )
}
