import { toAsofParameter, toInstantText } from '#lib/contract/instant-text.ts'
import { PREDICTION_BOUNDS } from '#lib/contract/prediction-bounds.ts'
import { PER_PAGE_DEFAULT } from '#lib/contract/query-parameters.ts'
import {
  EVERY_RATING,
  LISTS,
  type ListName,
  type RatingsQuery,
} from '#lib/contract/ratings-query.ts'
import { type Chosen, compareValues, quoteValue } from '#lib/contract/value-list.ts'
import { fromVisibleText, toVisibleText } from '#lib/contract/visible-text.ts'

/** Inverse of `parseFilterText`. '' for every rating. */
export function toFilterText(query: RatingsQuery): string {
  const instant = (name: 'from' | 'to' | 'moved_from' | 'moved_to') =>
    query[name] === null ? [] : [`${name}:${toInstantText(query[name])}`]
  return [
    ...LISTS.flatMap((name) => toListWord(name, query[name])),
    ...toBoundWords(query),
    ...instant('from'),
    ...instant('to'),
    ...instant('moved_from'),
    ...instant('moved_to'),
    ...(query.state === null ? [] : [`state:${query.state}`]),
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

function toBoundWords(query: RatingsQuery): string[] {
  const { prediction_min: least, prediction_max: most } = query
  const isRange = least !== null && most !== null
  const words = PREDICTION_BOUNDS.flatMap(([name, operator]) => {
    const isSaid = isRange && (name === 'prediction_min' || name === 'prediction_max')
    return query[name] === null || isSaid ? [] : [`prediction:${operator}${query[name]}`]
  })
  return isRange ? [`prediction:${least}..${most}`, ...words] : words
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
