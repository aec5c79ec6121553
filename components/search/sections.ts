import { toViewHref } from '#components/saved/view-pages.ts'
import type { SearchAction } from '#components/ui/search-actions.ts'
import type { DocsEntry } from '#lib/contract/answers/described.ts'
import { withAsOf } from '#lib/contract/api-queries.ts'
import { toRatingHref, toSymbolHref, toUserHref } from '#lib/contract/page-addresses.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { EVERY_RATING, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import { only } from '#lib/contract/value-list.ts'
import { fromVisibleText, toVisibleText } from '#lib/contract/visible-text.ts'
import { FILTER_FIELDS, type FilterText, isBare, quoteText, toFilterText } from './filter-text.ts'
import { type Edit, replaceAt, type Word, type Writing } from './tokenizer.ts'

type RowAction =
  | { do: 'open'; href: string }
  | { do: 'run'; run: () => void }
  | ({ do: 'write' } & Edit)

export type Row = {
  id: string
  label: string
  action: RowAction
  kind?: string
  detail?: string
  isText?: boolean
  /** Of the glyph of a rating. */
  code?: number
}

export type Section = { name: string; items: readonly Row[]; note?: string }

/** Symbols or users. `note`: why there are none. */
export type Found = {
  field: 'symbol' | 'user'
  rows: readonly { value: string; detail: string }[]
  note?: string
}

export type Lookups = { symbols: Found; users: Found; rating: number | null }

type Reader = { signsIn: boolean; mayManage: boolean }

export type SearchState = {
  text: string
  read: FilterText
  writing: Writing
  search: Search | null
  lookups: Lookups
  actions: readonly SearchAction[]
  shownText: string
  views: readonly { id: string; name: string; address: string }[]
  docs: readonly DocsEntry[]
  /** How many ratings pass the filter. */
  matches: string | undefined
  /** Seconds since 1970; null is now. */
  asof: number | null
  reader: Reader
  toHref: (query: RatingsQuery) => string
  toPhrase: (query: RatingsQuery) => string
}

export type Search = { text: string; start: number; end: number }

/** The words without a field at the caret, else the last ones before it. */
export function findSearch(text: string, words: readonly Word[], caret: number): Search | null {
  const at = words.findLastIndex((word) => isBare(word) && word.start <= caret)
  if (at < 0) return null
  const before = words.findLastIndex((word, index) => index < at && !isBare(word))
  const after = words.findIndex((word, index) => index > at && !isBare(word))
  const [start, end] = [words[before + 1]?.start ?? 0, words.at(after < 0 ? -1 : after - 1)?.end]
  return { text: fromVisibleText(text.slice(start, end)), start, end: end ?? start }
}

export const isSearch = ({ words, bare }: FilterText): boolean =>
  words.length > 0 && bare.length === words.length

export function selectSections(state: SearchState): Section[] {
  const { words } = state.read
  const select = words.length === 0 ? selectHome : isSearch(state.read) ? selectFound : selectFilter
  return select(state).filter(({ items, note }) => items.length > 0 || note !== undefined)
}

function selectHome(state: SearchState): Section[] {
  const shown = selectShown(state)
  return [
    { name: 'Filter', items: shown },
    { name: 'Go to', items: [...selectViews(state), ...selectPlaces(state)] },
    { name: 'Actions', items: selectActions(state) },
    ...(shown.length === 0 ? [{ name: 'Filter', items: selectNames(state) }] : []),
  ]
}

function selectShown({ shownText: text, toHref }: SearchState): Row[] {
  if (text === '') return []
  const toText = { do: 'write', text, caret: text.length } as const
  const toEvery = { do: 'open', href: toHref(EVERY_RATING) } as const
  return [
    { id: 'edit', label: 'Edit this filter', action: toText },
    { id: 'every rating', label: 'Show every rating', action: toEvery },
  ]
}

const MOST_DOCS = 5
const SHORTEST_OF_DOCS = 3

/** Groups keep their order, except that one with exactly the text comes first. */
function selectFound(state: SearchState): Section[] {
  const { search, lookups, asof } = state
  const text = search?.text ?? ''
  const matching = (rows: readonly Row[]) => rows.filter((row) => isMatch(text, row))
  const isExact = ({ label }: Row) => toPlain(toVisibleText(text)) === toPlain(label)
  const names = state.writing.typed === '' ? [] : selectNames(state)
  const docs = text.length < SHORTEST_OF_DOCS ? [] : matching(selectDocs(state))
  const places = matching([...selectViews(state), ...selectPlaces(state)])
  const sections: Section[] = [
    toFoundSection(lookups.symbols, asof),
    toFoundSection(lookups.users, asof),
    { name: 'Go to', items: [...selectRating(state), ...places] },
    { name: 'Filter', items: [...selectRatingsOf(state), ...names] },
    { name: 'Actions', items: matching(selectActions(state)) },
    { name: 'Docs', items: byFirst(docs, isExact).slice(0, MOST_DOCS) },
  ].map((section) => ({ ...section, items: byFirst(section.items, isExact) }))
  return byFirst(sections, ({ items: [first] }) => first !== undefined && isExact(first))
}

const byFirst = <T>(items: readonly T[], is: (item: T) => boolean): T[] =>
  items.toSorted((a, b) => Number(is(b)) - Number(is(a)))

const toPlain = (text: string) => text.trim().toLowerCase().replace(/^#/, '')

const toWords = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .replaceAll('-', '')
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** Each word of the text begins a word of the row. */
function isMatch(text: string, { label, detail = '' }: Pick<Row, 'label' | 'detail'>): boolean {
  const words = toWords(`${label} ${detail}`)
  const typed = toWords(text)
  return typed.length > 0 && typed.every((one) => words.some((word) => word.startsWith(one)))
}

export const GROUPS = { symbol: 'Symbols', user: 'Users' } as const

const toFoundSection = ({ field, rows, note }: Found, asof: number | null): Section => ({
  name: GROUPS[field],
  note,
  items: rows.map(({ value, detail }) => {
    const isSymbol = field === 'symbol'
    const href = isSymbol ? toSymbolHref(value) : toUserHref(Number(value))
    return {
      id: `${field} ${value}`,
      kind: isSymbol ? 'Symbol' : 'User',
      label: isSymbol ? toVisibleText(value) : `#${value}`,
      detail,
      action: { do: 'open', href: withAsOf(href, asof) },
    }
  }),
})

function selectRating({ lookups: { rating }, asof }: SearchState): Row[] {
  if (rating === null) return []
  const href = withAsOf(toRatingHref(rating), asof)
  return [{ id: 'rating', kind: 'Rating', label: `#${rating}`, action: { do: 'open', href } }]
}

/** Of the one symbol or user that is named. */
function selectRatingsOf({ search, lookups, toHref, toPhrase }: SearchState): Row[] {
  const key = toSymbolKey((search?.text.trim() ?? '').replace('#', ''))
  const isNamed = ({ value }: { value: string }) => toSymbolKey(value) === key
  const { symbols, users } = lookups
  const queries = [
    ...symbols.rows.filter(isNamed).map(() => ({ ...EVERY_RATING, symbol: only(key) })),
    ...users.rows.filter(isNamed).map(() => ({ ...EVERY_RATING, user: only(Number(key)) })),
  ]
  return queries.map((query) => ({
    id: `ratings ${toFilterText(query)}`,
    label: `Show ratings: ${toPhrase(query)}`,
    action: { do: 'open', href: toHref(query) },
  }))
}

const selectViews = ({ views, asof }: SearchState): Row[] =>
  views.map(({ id, name, address }) => ({
    id: `view ${id}`,
    label: name,
    kind: 'View',
    action: { do: 'open', href: toViewHref(address, asof) },
  }))

const selectDocs = ({ docs, asof }: SearchState): Row[] =>
  docs.map(({ kind, label, detail, href }) => ({
    id: `docs ${href}`,
    kind: kind === 'word' ? 'Word' : 'Docs',
    label,
    detail,
    action: { do: 'open', href: withAsOf(href, asof) },
  }))

const manages = ({ mayManage }: Reader) => mayManage
const signsIn = (reader: Reader) => reader.signsIn

type Place = [
  label: string,
  href: string,
  detail: string,
  ...conditions: ((reader: Reader) => boolean)[],
]

const PLACES: readonly Place[] = [
  ['Ratings', '/', 'the table'],
  ['Symbols', '/symbols', 'every symbol, with its consensus'],
  ['Map of symbols', '/symbols?view=map', 'area by ratings, color by consensus'],
  ['Users', '/users', 'who rates, and who was right'],
  ['Look-ups', '/lookups', 'who looked up which symbol'],
  ['Changes', '/changes', 'the week’s ratings, what moved and why'],
  ['Record', '/users/everyone', 'how often the whole community was right, judged by prices'],
  ['Downloads', '/downloads', 'the weekly dumps'],
  ['SQL', '/sql', 'queries of your own, in this browser'],
  ['Watching', '/watching', 'new ratings of what you watch'],
  ['Status', '/status', 'complete, how fresh, and 90 days of syncs'],
  ['About', '/about', 'what the ratings are and what the terms mean'],
  ['Help', '/help', 'keyboard shortcuts and links'],
  ['Docs', '/docs', 'how to use, run and change the dashboard'],
  ['Embedding', '/docs/charts#embedding', 'a chart in your own page'],
  ['API', '/docs/api', 'the same data for scripts, to try'],
  ['Alerts', '/status/alerts', 'rules and webhooks', manages],
  ['Your account', '/account', 'your sessions and tokens', signsIn],
  ['Access', '/access', 'accounts, sessions and tokens', signsIn, manages],
  ['Audit log', '/access/audit', 'sign-ins, refusals, exports and account changes', manages],
]

const selectPlaces = ({ reader, asof }: SearchState): Row[] =>
  PLACES.filter(([, , , ...conditions]) => conditions.every((isMet) => isMet(reader))).map(
    ([label, href, detail]) => ({
      id: `page ${href}`,
      kind: 'Page',
      label,
      detail,
      action: { do: 'open', href: withAsOf(href, asof) },
    }),
  )

const selectActions = ({ actions }: SearchState): Row[] =>
  actions.map(({ name, detail, run }) => ({
    id: `run ${name}`,
    label: name,
    detail,
    action: { do: 'run', run },
  }))

/** A wrong value is completed at the caret only: elsewhere, its message is shown. */
function selectFilter(state: SearchState): Section[] {
  const { read, writing, search, lookups, toHref, toPhrase, matches } = state
  const { problem, query } = read
  const isName = isBare(writing)
  const apply: Row = {
    id: 'apply',
    label: `Show ratings: ${toPhrase(query)}`,
    detail: matches,
    action: { do: 'open', href: toHref(query) },
  }
  const completions = isName ? selectNames(state) : selectValues(state)
  const filter = { name: 'Filter', items: problem ? completions : [apply, ...completions] }
  const found = [lookups.symbols, lookups.users]
  const looked = found.filter(({ field }) => field === writing.name)
  if (looked.length > 0) return [filter, ...selectCompletions(state, looked, writing, false)]
  if (problem === null) return [filter]
  const { start, end } = problem.word
  if (!isBare(problem.word)) return writing.start <= end && writing.end >= start ? [filter] : []
  const searched = search === null ? [] : selectCompletions(state, found, search, true)
  if (!isName) return [...searched, filter]
  return writing.typed === '' ? searched : [filter, ...searched]
}

type Span = Pick<Writing, 'start' | 'end'>

/** Completes symbols and users, with the names of their fields unless the place has them. */
const selectCompletions = (
  { text }: SearchState,
  found: readonly Found[],
  place: Span,
  isNamed: boolean,
): Section[] =>
  found.map(({ field, rows, note }) => ({
    name: GROUPS[field],
    note,
    items: rows.map(({ value, detail }) => {
      const piece = `${isNamed ? `${field}:` : ''}${quoteText(toVisibleText(value))}`
      return toCompletion(text, place, { piece, detail })
    }),
  }))

type Completion = { piece: string; label?: string; detail?: string; code?: number }

const toCompletion = (text: string, place: Span, { piece, label, ...more }: Completion): Row => ({
  id: `complete ${piece}`,
  label: label ?? piece,
  isText: label === undefined,
  ...more,
  action: { do: 'write', ...replaceAt(text, place, piece) },
})

const MOST_NAMES = 6

/** Where nothing is typed, those that the text does not have. */
function selectNames({ text, read, writing }: SearchState): Row[] {
  const typed = writing.typed.toLowerCase()
  const used = read.words.map(({ name }) => name)
  return [...FILTER_FIELDS]
    .filter(([name]) => (typed === '' ? !used.includes(name) : name.startsWith(typed)))
    .slice(0, MOST_NAMES)
    .map(([name, { hint }]) => toCompletion(text, writing, { piece: `${name}:`, detail: hint }))
}

function selectValues({ text, writing }: SearchState): Row[] {
  const field = FILTER_FIELDS.get(writing.name ?? '')
  const isSort = field?.parameter.kind.type === 'sort'
  const rows = field?.options.map(({ value, label }) =>
    toCompletion(text, writing, {
      piece: isSort ? label : value,
      label,
      detail: isSort ? undefined : value,
      code: field.name === 'rating' ? Number(value) : undefined,
    }),
  )
  const typed = writing.typed
  return rows?.filter((row) => typed === '' || isMatch(typed, row)) ?? []
}

export function toShownText(query: RatingsQuery): string {
  const text = toFilterText({ ...query, asof: null })
  return text === '' ? '' : `${text} `
}
