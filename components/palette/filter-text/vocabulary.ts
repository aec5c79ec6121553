import type { Bound, Field } from '#lib/contract/lists/define-list.ts'
import { ratingList } from '#lib/contract/lists/ratings.ts'
import type { Kind } from '#lib/contract/query-parameters.ts'
import { ratingsQuery } from '#lib/contract/ratings-query.ts'

const FIELDS: readonly (readonly [string, Field])[] = Object.entries(ratingList.fields)

type Typing = { hint: string; aliases?: readonly string[] }

/** The most usual words first. Without one, a filter has the meaning of its parameter. */
const TYPED: Readonly<Record<string, Typing>> = {
  symbol: { hint: 'any of these symbols', aliases: ['ticker', 'stock'] },
  rating: {
    hint: 'a label, a code, or from a code on',
    aliases: ['label', 'rating_label', 'score'],
  },
  prediction: { hint: 'above, below or between percentages', aliases: ['target', 'percent'] },
  user: { hint: 'users by their number', aliases: ['member', 'author', 'by'] },
  action: { hint: 'initiated, upgraded, downgraded, reiterated', aliases: ['action_label'] },
  state: { hint: 'active or expired', aliases: ['is', 'status'] },
  from: { hint: 'posted at this time or later', aliases: ['since', 'after'] },
  to: { hint: 'posted before this time', aliases: ['until', 'before'] },
  created: { hint: 'posted in a day, a month or a year', aliases: ['date', 'day', 'posted'] },
  expires: { hint: 'expires in a day, a month, a year, or never', aliases: ['expiry'] },
  asof: { hint: 'everything as of a point in time', aliases: ['as_of'] },
  sort: { hint: 'a column; a minus sorts downwards', aliases: ['order', 'order_by'] },
  agree: { hint: 'that many agree' },
  disagree: { hint: 'that many disagree' },
  comments: { hint: 'that many comments' },
  quality: {
    hint: 'contradictory or implausible ratings',
    aliases: ['lens', 'lenses', 'flag', 'contradiction'],
  },
  watched: {
    hint: 'the symbols or the users that you watch',
    aliases: ['star', 'starred', 'watch', 'watching', 'favourite', 'favorite'],
  },
  moved: { hint: 'what moved the consensus of a symbol' },
  moved_from: { hint: 'with moved: it happened at this time or later' },
  moved_to: { hint: 'with moved: it happened before this time' },
  id: { hint: 'ratings by their number' },
  per_page: { hint: 'rows on a page', aliases: ['limit'] },
  page: { hint: 'which page of the rows' },
}

const boundsOf = ({ range }: Field): [string, Bound][] => Object.entries(range?.bounds ?? {})

/** What each word filters by. */
export const WORDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(TYPED).map(([name, { hint }]) => [name, hint])),
  ...Object.fromEntries(
    FIELDS.flatMap(([, { filter }]) =>
      filter && !TYPED[filter.name] ? [[filter.name, filter.parameter.meaning]] : [],
    ),
  ),
}

const KINDS: ReadonlyMap<string, Kind['type']> = new Map(
  Object.entries(ratingsQuery.parameters).map(([name, { kind }]) => [name, kind.type]),
)

export const isWordName = (name: string): boolean => Object.hasOwn(WORDS, name) || KINDS.has(name)

/** Null: no parameter. */
export const kindOf = (name: string): Kind['type'] | null => KINDS.get(name) ?? null

export const isTimeName = (name: string): boolean =>
  ['instant', 'asof'].includes(kindOf(name) ?? '')

export const isDisplayName = (name: string): boolean => ['columns', 'open'].includes(name)

export const SORT_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  FIELDS.flatMap(([name, { filter, sort }]) => (filter && sort ? [[filter.name, name]] : [])),
)

/** Bounds by operator, such as `>5`, of the values of a filter. */
export function selectBounds(name: string): readonly { name: string; operator: string }[] {
  const field = FIELDS.find(([, { filter }]) => filter?.name === name)?.[1]
  if (!field || !['decimal', 'instant'].includes(String(field.type))) return []
  return boundsOf(field).map(([bound, [operator]]) => ({ name: bound, operator }))
}

/** The filter that takes periods of the time that the parameter bounds. */
export const toPeriodName = (bound: string): string | null =>
  FIELDS.find(
    ([, field]) =>
      field.filter?.parameter.kind.type === 'period' &&
      boundsOf(field).some(([name]) => name === bound),
  )?.[1].filter?.name ?? null

const MEANT = new Map([
  ...Object.entries(TYPED).flatMap(([name, { aliases = [] }]) =>
    aliases.map((alias) => [alias, name] as const),
  ),
  ...FIELDS.flatMap(([name, { filter }]) =>
    filter && filter.name !== name ? [[name, filter.name] as const] : [],
  ),
])

const FAR = 3

export function suggestName(name: string): string | null {
  const meant = MEANT.get(name)
  if (meant || name.length > 24) return meant ?? null
  const near = Object.keys(WORDS)
    .map((word) => ({ word, far: distance(name, word) }))
    .filter(({ word, far }) => far < Math.min(FAR, word.length))
    .sort((a, b) => a.far - b.far)[0]
  return near?.word ?? null
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

export type Value = { value: string; label: string }

/** The values with words of a filter, by its name. */
const VALUES: ReadonlyMap<string, readonly Value[]> = new Map(
  FIELDS.flatMap(([, { filter }]) => {
    if (!filter?.words) return []
    const values = Object.entries(filter.words).map(([value, { label }]) => ({ value, label }))
    return [[filter.name, values] as const]
  }),
)

export const valuesOf = (name: string): readonly Value[] => VALUES.get(name) ?? []

/** Codes have labels, and may be unknown. */
export const isCodeName = (name: string): boolean => VALUES.has(name) && kindOf(name) === 'whole'

export const isOrdered = (name: string): boolean =>
  FIELDS.some(
    ([, { filter }]) => filter?.by === 'values' && filter.name === name && filter.isOrdered,
  )

const NUMBER = /^-?\d+$/

const toPlain = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')

/** Candidate codes for an unknown label. */
export function readCode(
  name: string,
  text: string,
): { code: string } | { like: readonly Value[] } {
  if (NUMBER.test(text)) return { code: text }
  const word = toPlain(text)
  const found = valuesOf(name).find(({ label }) => toPlain(label) === word)
  if (found) return { code: found.value }
  const like = findCodes(name, text)
  return { like: like.length > 0 ? like : valuesOf(name) }
}

export function findCodes(name: string, text: string): readonly Value[] {
  const word = toPlain(text)
  return valuesOf(name).filter(
    ({ value, label }) => value === word || toPlain(label).includes(word),
  )
}
