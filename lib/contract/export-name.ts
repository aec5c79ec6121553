import { toInstantText } from './instant-text.ts'
import {
  type AnyList,
  type List,
  readChosen,
  selectRanges,
  selectValueFilters,
} from './lists/define-list.ts'
import { ratingList } from './lists/ratings.ts'
import type { Sort } from './query-parameters.ts'
import { LISTS, type RatingsQuery, ratingsQuery } from './ratings-query.ts'
import type { Chosen } from './value-list.ts'
import { toVisibleWord } from './visible-text.ts'

const VALUES_MAX = 2
const VALUE_LENGTH = 24
const NAME_LENGTH = 60

const NAMELESS = new Set(['symbol'])

type Facts = {
  format: string
  asOf: number
  invented: boolean
}

/** `ratings_AAPL_rating-4-5_2026-11-21.csv`. */
export const toExportName = (query: RatingsQuery, facts: Facts): string =>
  toFileName('ratings', toFilters(query), facts)

export function toListName(
  list: AnyList & Pick<List<never, never>, 'path' | 'toHead' | 'isRanked'>,
  query: Readonly<Record<string, unknown>>,
  facts: Facts,
): string {
  const kind = list.path.split('/').at(-1) ?? list.path
  const { words, isDated } = list.toHead?.(query) ?? { words: [], isDated: false }
  const parts = selectValueFilters(list).map(({ name }) => ({
    isNameless: NAMELESS.has(name),
    words: toListParts(name, readChosen(query, name)),
  }))
  const filters = [
    ...parts.filter(({ isNameless }) => isNameless),
    ...parts.filter(({ isNameless }) => !isNameless),
  ].flatMap((part) => part.words)
  const bounds = selectRanges(list).flatMap((range) => range.bounds)
  return toFittingName(
    [kind, ...words],
    [...(list.isRanked ? toRankedParts(query) : filters), ...toBoundParts(bounds, query)],
    {
      tail: [...(isDated ? [] : [toDay(facts.asOf)]), ...(facts.invented ? [DEMO] : [])],
      ending: facts.format,
    },
  )
}

function toRankedParts(query: Readonly<Record<string, unknown>>): string[] {
  const { q, sort } = query as { q: string; sort: Sort<string> }
  return [...(q === '' ? [] : [toFileWord(q)]), `by-${toDashed(sort.column)}`]
}

const toDashed = (name: string) => name.replaceAll('_', '-')

const toFileName = (kind: string, parts: readonly string[], { asOf, invented, format }: Facts) =>
  toFittingName([kind], parts, {
    tail: [toDay(asOf), ...(invented ? [DEMO] : [])],
    ending: format,
  })

export const DEMO = 'demo'

const toDay = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10)

/** Drops parts and states their number; shortens the first part only if it must. */
export function toFittingName(
  head: readonly string[],
  parts: readonly string[],
  { tail, ending, toMore = toMoreFilters }: Fitting,
): string {
  const join = (middle: readonly string[]) =>
    `${[...head, ...middle, ...tail].filter((part) => part !== '').join('_')}.${ending}`
  const fits = (middle: readonly string[]) => toAsciiName(join(middle)).length <= NAME_LENGTH
  if (fits(parts)) return join(parts)
  const [first = '', ...others] = parts
  for (let kept = others.length - 1; kept >= 0; kept--) {
    const middle = [first, toMore(others.length - kept), ...others.slice(others.length - kept)]
    if (fits(middle)) return join(middle)
  }
  const rest = others.length === 0 ? [] : [toMore(others.length)].filter((part) => part !== '')
  const room = NAME_LENGTH - toAsciiName(join(['', ...rest])).length - 1
  return join([cut(first, Math.max(1, room)), ...rest])
}

type Fitting = {
  tail: readonly string[]
  ending: string
  toMore?: (count: number) => string
}

/** Plain "more" after `AAPL-MSFT` would read as more symbols. */
const toMoreFilters = (count: number) => `plus-${count}-filter${count === 1 ? '' : 's'}`

export const toAsciiName = (name: string): string =>
  name.replace(/[^\x20-\x7e]/gu, (letter) => `u${letter.codePointAt(0)?.toString(16)}`)

type NamedBound = ReturnType<typeof selectRanges>[number]['bounds'][number]

const RATING_BOUNDS: readonly NamedBound[] = selectRanges(ratingList)
  .flatMap(({ bounds }) => bounds)
  .toSorted((a, b) => ratingsQuery.order.indexOf(a.name) - ratingsQuery.order.indexOf(b.name))

const toFilters = (query: RatingsQuery): string[] => [
  ...LISTS.flatMap((name) => toListParts(name, query[name])),
  ...toBoundParts(RATING_BOUNDS, query),
  ...(query.state === null ? [] : [query.state]),
]

const toBoundParts = (
  bounds: readonly NamedBound[],
  query: Readonly<Record<string, unknown>>,
): string[] =>
  bounds.flatMap(({ name, isInstant }) => {
    const value = query[name] ?? null
    if (value === null) return []
    const word = isInstant ? toDashed(name) : (name.split('_').at(-1) ?? name)
    return [`${word}-${toFileWord(isInstant ? toInstantText(Number(value)) : String(value))}`]
  })

const toListParts = (name: string, chosen: Chosen<string | number>) =>
  toNamedParts(NAMELESS.has(name) ? null : name, chosen)

function toNamedParts(name: string | null, { only, not }: Chosen<string | number>): string[] {
  const before = name === null ? [] : [name]
  const part = (words: string[], values: readonly (string | number)[]) =>
    values.length === 0 ? [] : [[...before, ...words, toListWord(values)].join('-')]
  return [...part([], only), ...part(['not'], not)]
}

/** `AAPL-MSFT-and-4-more`. */
export function toListWord(values: readonly (string | number)[]): string {
  const words = values.slice(0, VALUES_MAX).map((value) => toFileWord(String(value)))
  const rest = values.length - words.length
  return (rest > 0 ? [...words, `and-${rest}-more`] : words).join('-')
}

export const toFileWord = (text: string): string => {
  const signed = toVisibleWord(text.normalize('NFC')).replace(/^-(?=\d)/, 'minus')
  const word = signed.replace(/[^\p{L}\p{M}\p{N}.]+/gu, '-').replace(/\.{2,}/g, '.')
  return cut(word.replace(/^[-.]+|[-.]+$/g, ''), VALUE_LENGTH) || 'x'
}

function cut(text: string, length: number): string {
  let [kept, left] = ['', length]
  for (const letter of text) {
    left -= toAsciiName(letter).length
    if (left < 0) break
    kept += letter
  }
  return kept.replace(/[-._]+$/, '')
}

/** `20261121T043000Z`: no colons, which some file systems reject. */
export const toStamp = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace(/[-:]|\.\d+/g, '')
