import type { FilterReader, WordedFilter } from '#lib/contract/filter-words.ts'
import { readChosen } from '#lib/contract/lists/define-list.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { toAsofText, toSpanText, UTC } from './instants.ts'
import { formatCount, formatPrediction } from './numbers.ts'
import { joinByOr } from './texts.ts'

/** What can be filtered: a described list, or the ratings. */
type Filtered = { filters: readonly WordedFilter[] }
type Query = Readonly<Record<string, unknown>>

export type Filter = Pick<WordedFilter, 'phrase'> & {
  /** Unique; names are not. */
  key: string
  name: string
  isNot: boolean
  /** Of a list of values, in the order of their texts. */
  chosen: readonly (string | number)[]
  values: readonly string[]
  isContext: boolean
  /** The query without this filter, on its first page. */
  drop: <Q extends Query>(query: Q) => Q
}

export const createFilterReader = (zone: string = UTC): FilterReader => ({
  formatCount,
  formatPrediction,
  zone,
  formatSpan: (span) => toSpanText(span, zone),
  formatAsof: (asof) => toAsofText(asof, zone),
})

export const selectFilters = (
  { filters }: Filtered,
  query: Query,
  reader = createFilterReader(),
): Filter[] =>
  filters.flatMap((filter) => {
    if (filter.by === 'values') return readValues(filter, query, reader)
    const { word, phrase, names, isContext = false } = filter
    const text = filter.toText(query as never, reader)
    const drop = dropping(() => Object.fromEntries(names.map((name) => [name, null])))
    const chosen = { isNot: false, chosen: [], values: [text ?? ''] }
    return text === null ? [] : [{ ...chosen, key: word, name: word, phrase, isContext, drop }]
  })

export const selectChips = (...[of, query, reader]: Parameters<typeof selectFilters>): Filter[] =>
  selectFilters(of, query, reader).filter(({ isContext }) => !isContext)

/** Keeps what the page is about, such as `asof`. */
export const withoutFilters = <Q extends Query>(of: Filtered, query: Q): Q =>
  selectChips(of, query).reduce((rest, { drop }) => drop(rest), { ...query, page: 1 })

const dropping =
  (toChange: (query: Query) => Query) =>
  <Q extends Query>(query: Q): Q => ({ ...query, ...toChange(query), page: 1 })

type ValuesFilter = WordedFilter & { by: 'values' }

function readValues(filter: ValuesFilter, query: Query, reader: FilterReader): Filter[] {
  const { name, word = name, phrase, words, toText } = filter
  const print = (value: string | number) =>
    words?.[value]?.label ?? toText?.(value as never, reader) ?? toVisibleText(String(value))
  return (['only', 'not'] as const).flatMap((how) => {
    const chosen = [...readChosen(query, name)[how]].sort(compareNumbers)
    if (chosen.length === 0) return []
    const drop = dropping((from) => ({ [name]: { ...readChosen(from, name), [how]: [] } }))
    const values = chosen.map(print)
    const isNot = how === 'not'
    return [
      { key: `${name} ${how}`, name: word, isNot, chosen, values, phrase, isContext: false, drop },
    ]
  })
}

/** Texts keep their order. */
const compareNumbers = (a: string | number, b: string | number) =>
  typeof a === 'number' && typeof b === 'number' ? a - b : 0

/** `AAPL, Moderate Buy or Strong Buy`; '' without a filter. */
export const toFilterPhrase = (filters: readonly Filter[], joint = ', '): string =>
  filters.map(toPhrase).join(joint)

/** `AAPL · Look-ups` */
export const toFilteredTitle = (filters: readonly Filter[], title: string): string =>
  [toFilterPhrase(filters), title].filter((part) => part !== '').join(' · ')

function toPhrase({ name, phrase, isNot, values }: Filter): string {
  const value = joinValues(values)
  const text =
    phrase === 'alone' ? value : phrase === 'after' ? `${value} ${name}` : `${name} ${value}`
  return isNot ? `not ${text}` : text
}

const MOST_IN_PHRASE = 3

/** `A, B or C` or `A, B, C or 4 more` */
function joinValues(values: readonly string[]): string {
  const isLong = values.length > MOST_IN_PHRASE + 1
  const named = values.slice(0, isLong ? MOST_IN_PHRASE : values.length)
  const rest = values.length - named.length
  return joinByOr(rest > 0 ? [...named, `${rest} more`] : named)
}

const MOST_NAMED = 4

export function toShortList(values: readonly string[]): string {
  const named = values.length > MOST_NAMED ? values.slice(0, MOST_NAMED - 1) : values
  const rest = values.length - named.length
  return rest > 0 ? `${named.join(', ')} and ${rest} more` : named.join(', ')
}
