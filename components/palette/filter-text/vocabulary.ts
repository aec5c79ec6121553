import { type BoundName, isBoundName } from '#lib/contract/prediction-bounds.ts'
import { ACTION_LABELS, RATING_LABELS } from '#lib/contract/rating-fields.ts'
import { LISTS, type ListName } from '#lib/contract/ratings-query.ts'

export const WORDS = {
  symbol: 'any of these symbols',
  rating: 'a label, a code, or from a code on',
  prediction: 'above, below or between percentages',
  user: 'users by their number',
  action: 'initiated, upgraded, downgraded, reiterated',
  state: 'active or expired',
  from: 'posted at this time or later',
  to: 'posted before this time',
  created: 'posted in a day, a month or a year',
  expires: 'expires in a day, a month, a year, or never',
  asof: 'everything as of a point in time',
  sort: 'a column; a minus sorts downwards',
  agree: 'that many agree',
  disagree: 'that many disagree',
  comments: 'that many comments',
  quality: 'contradictory or implausible ratings',
  watched: 'the symbols or the users that you watch',
  moved: 'what moved the consensus of a symbol',
  moved_from: 'with moved: it happened at this time or later',
  moved_to: 'with moved: it happened before this time',
  id: 'ratings by their number',
  per_page: 'rows on a page',
  page: 'which page of the rows',
} as const
export type WordName = keyof typeof WORDS

const isIn = <K extends string>(record: Record<K, unknown>, name: string): name is K =>
  Object.hasOwn(record, name)

export const isWordName = (name: string): name is WordName | BoundName =>
  isIn(WORDS, name) || isBoundName(name)

export const isListName = (name: string): name is ListName => LISTS.some((list) => list === name)

export const isTimeName = (name: string): boolean =>
  ['from', 'to', 'moved_from', 'moved_to', 'asof'].includes(name)

export const isDisplayName = (name: string): boolean => ['tz', 'columns', 'open'].includes(name)

export const SORT_NAMES: Readonly<Record<string, string>> = {
  created: 'created_at',
  expires: 'expired_at',
  user: 'user_id',
  agree: 'tally_agree',
  disagree: 'tally_disagree',
  comments: 'tally_comment',
}

const MEANT: Readonly<Record<string, WordName>> = {
  ticker: 'symbol',
  stock: 'symbol',
  member: 'user',
  author: 'user',
  by: 'user',
  user_id: 'user',
  label: 'rating',
  rating_label: 'rating',
  score: 'rating',
  action_label: 'action',
  target: 'prediction',
  percent: 'prediction',
  since: 'from',
  after: 'from',
  until: 'to',
  before: 'to',
  date: 'created',
  day: 'created',
  posted: 'created',
  created_at: 'created',
  expired_at: 'expires',
  expiry: 'expires',
  is: 'state',
  status: 'state',
  as_of: 'asof',
  lens: 'quality',
  lenses: 'quality',
  flag: 'quality',
  contradiction: 'quality',
  order: 'sort',
  order_by: 'sort',
  limit: 'per_page',
  star: 'watched',
  starred: 'watched',
  watch: 'watched',
  watching: 'watched',
  favourite: 'watched',
  favorite: 'watched',
  tally_agree: 'agree',
  tally_disagree: 'disagree',
  tally_comment: 'comments',
}

const FAR = 3

export function suggestName(name: string): WordName | null {
  const meant = Object.hasOwn(MEANT, name) ? MEANT[name] : undefined
  if (meant || name.length > 24) return meant ?? null
  const near = Object.keys(WORDS)
    .map((word) => ({ word, far: distance(name, word) }))
    .filter(({ word, far }) => far < Math.min(FAR, word.length))
    .sort((a, b) => a.far - b.far)[0]?.word
  return near !== undefined && isIn(WORDS, near) ? near : null
}

/** Levenshtein distance. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const changed = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

export type Code = { code: number; label: string }

const toCodes = (labels: Readonly<Record<number, string>>): readonly Code[] =>
  Object.entries(labels).map(([code, label]) => ({ code: Number(code), label }))

export const CODES: Readonly<Record<'rating' | 'action', readonly Code[]>> = {
  rating: toCodes(RATING_LABELS),
  action: toCodes(ACTION_LABELS),
}

export const isCodeName = (name: string): name is 'rating' | 'action' => Object.hasOwn(CODES, name)

const NUMBER = /^-?\d+$/

const toPlain = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')

/** Candidate codes for an unknown label. */
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

export function findCodes(name: 'rating' | 'action', text: string): readonly Code[] {
  const word = toPlain(text)
  return CODES[name].filter(
    ({ code, label }) => String(code) === word || toPlain(label).includes(word),
  )
}
