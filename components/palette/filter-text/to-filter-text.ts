import { toAsofParameter, toInstantText } from '#lib/contract/instant-text.ts'
import { PER_PAGE_DEFAULT } from '#lib/contract/query-parameters.ts'
import {
  EVERY_RATING,
  LISTS,
  type ListName,
  type RatingsQuery,
  ratingsQuery,
} from '#lib/contract/ratings-query.ts'
import { type Chosen, compareValues, quoteValue } from '#lib/contract/value-list.ts'
import { fromVisibleText, toVisibleText } from '#lib/contract/visible-text.ts'
import { kindOf, selectBounds } from './vocabulary.ts'

/** Inverse of `parseFilterText`. '' for every rating. */
export function toFilterText(query: RatingsQuery): string {
  return [
    ...LISTS.flatMap((name) => toListWord(name, query[name])),
    ...LISTS.flatMap((name) => toBoundWords(name, query)),
    ...BY_NAME.flatMap((name) => toWord(name, query)),
    ...(query.asof === null ? [] : [`asof:${toAsofParameter(query.asof)}`]),
    ...toSortWord(query),
    ...(query.per_page === PER_PAGE_DEFAULT ? [] : [`per_page:${query.per_page}`]),
    ...(query.page === 1 ? [] : [`page:${query.page}`]),
  ].join(' ')
}

function toListWord(name: ListName, chosen: Chosen<string | number>): string[] {
  const texts = (how: keyof typeof chosen) => [...chosen[how]].sort(compareValues).map(toValueText)
  const [left, out] = [texts('only'), texts('not')]
  if (left.length === 0) return out.length === 0 ? [] : [`-${name}:${out.join(',')}`]
  return [`${name}:${[...left, ...out.map((text) => `-${text}`)].join(',')}`]
}

const toValueText = (value: string | number) =>
  quoteText(typeof value === 'string' ? toVisibleText(value) : value)

const BY_NAME = ['instant', 'choice'].flatMap((kind) =>
  ratingsQuery.order.filter(
    (name) => kindOf(name) === kind && !LISTS.some((list) => list === name),
  ),
)

type Query = Readonly<Record<string, unknown>>

function toWord(name: string, query: Query): string[] {
  const value = query[name] ?? null
  if (value === null) return []
  return [`${name}:${typeof value === 'number' ? toInstantText(value) : value}`]
}

/** Decimals are bounded by operators, instants by name. */
function toBoundWords(name: string, query: Query): string[] {
  if (kindOf(name) !== 'decimal') return []
  const given = selectBounds(name).flatMap((bound) => {
    const value = query[bound.name] ?? null
    return value === null ? [] : [{ operator: bound.operator, value }]
  })
  const ends = given.filter(({ operator }) => operator.endsWith('='))
  const isRange = ends.length === 2
  const words = given.flatMap((bound) =>
    isRange && ends.includes(bound) ? [] : [`${name}:${bound.operator}${bound.value}`],
  )
  return isRange ? [`${name}:${ends.map(({ value }) => value).join('..')}`, ...words] : words
}

function toSortWord({ sort }: RatingsQuery): string[] {
  const { column, direction } = EVERY_RATING.sort
  if (sort.column === column && sort.direction === direction) return []
  return [`sort:${sort.direction === 'desc' ? '-' : ''}${sort.column}`]
}

export const toTypedText = (text: string): string =>
  text
    .split(' ')
    .map((word) => toVisibleText(fromVisibleText(word)))
    .join(' ')

// Unquoted, the parser would read these differently.
const TAKEN = /\s|^[<>=≤≥−#]|\.\./

export function quoteText(value: string | number): string {
  const text = quoteValue(value)
  return text.startsWith('"') || !TAKEN.test(text) ? text : `"${text}"`
}
