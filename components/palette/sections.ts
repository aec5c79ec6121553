import { toViewHref } from '#components/saved/view-pages.ts'
import type { DocsEntry } from '#lib/contract/answers/docs-index.ts'
import { withAsOf } from '#lib/contract/as-of.ts'
import { toRatingHref, toSymbolHref, toUserHref } from '#lib/contract/page-addresses.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { EVERY_RATING, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import { only } from '#lib/contract/value-list.ts'
import { fromVisibleText, toVisibleText } from '#lib/contract/visible-text.ts'
import { FILTER_FIELDS, type FilterText, isBare, quoteText, toFilterText } from './filter-text.ts'
import type { PageAction } from './page-actions.ts'
import { type Edit, replaceAt, type Word, type Writing } from './tokenizer.ts'

type RowAction =
  | { do: 'open'; href: string }
  | { do: 'page'; action: PageAction }
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

export type Section = { name: string; rows: readonly Row[]; note?: string }

/** `note`: why there are no rows. */
export type Found<T> = { rows: readonly T[]; note?: string }

export type Lookups = {
  symbols: Found<{ symbol: string; detail: string }>
  users: Found<{ user: number; detail: string }>
  rating: number | null
}

type Reader = { signsIn: boolean; mayManage: boolean }

export type PaletteState = {
  text: string
  read: FilterText
  writing: Writing
  search: Search | null
  lookups: Lookups
  has: (action: PageAction) => boolean
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

export function selectSections(state: PaletteState): Section[] {
  const { words } = state.read
  const select = words.length === 0 ? selectHome : isSearch(state.read) ? selectFound : selectFilter
  return select(state).filter(({ rows, note }) => rows.length > 0 || note !== undefined)
}

const selectHome = (state: PaletteState): Section[] => [
  { name: 'This filter', rows: selectShown(state) },
  { name: 'Go to', rows: [...selectViews(state), ...selectPlaces(state.reader, state.asof)] },
  { name: 'Actions', rows: selectActions(state) },
  { name: 'Filter', rows: selectNames(state) },
]

function selectShown({ shownText, toHref }: PaletteState): Row[] {
  if (shownText === '') return []
  const caret = shownText.length
  return [
    { id: 'edit', label: 'Edit this filter', action: { do: 'write', text: shownText, caret } },
    {
      id: 'every rating',
      label: 'Show every rating',
      action: { do: 'open', href: toHref(EVERY_RATING) },
    },
  ]
}

const MOST_DOCS = 5
const SHORTEST_OF_DOCS = 3

/** Groups keep their order, except that one with exactly the text comes first. */
function selectFound(state: PaletteState): Section[] {
  const { search, lookups, reader, asof } = state
  const text = search?.text ?? ''
  const matching = (rows: readonly Row[]) => rows.filter((row) => isMatch(text, row))
  const names = state.writing.typed === '' ? [] : selectNames(state)
  const docs = text.length < SHORTEST_OF_DOCS ? [] : matching(selectDocs(state))
  const sections: Section[] = [
    { name: 'Symbols', rows: selectSymbols(state), note: lookups.symbols.note },
    { name: 'Users', rows: selectUsers(state), note: lookups.users.note },
    {
      name: 'Go to',
      rows: [
        ...selectRating(state),
        ...matching([...selectViews(state), ...selectPlaces(reader, asof)]),
      ],
    },
    { name: 'Filter', rows: [...selectRatingsOf(state), ...names] },
    { name: 'Actions', rows: matching(selectActions(state)) },
    { name: 'Docs', rows: byExact(docs, (row) => isExact(text, row)).slice(0, MOST_DOCS) },
  ]
  return byExact(
    sections.map((section) => ({
      ...section,
      rows: byExact(section.rows, (row) => isExact(text, row)),
    })),
    ({ rows }) => rows[0] !== undefined && isExact(text, rows[0]),
  )
}

const byExact = <T>(items: readonly T[], is: (item: T) => boolean): T[] =>
  items.toSorted((a, b) => Number(is(b)) - Number(is(a)))

const toPlain = (text: string) => text.trim().toLowerCase().replace(/^#/, '')

const isExact = (text: string, { label }: Row): boolean =>
  toPlain(toVisibleText(text)) === toPlain(label)

const toWords = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .replaceAll('-', '')
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** Each word of the text begins a word of the row. */
function isMatch(text: string, { label, detail = '' }: Row): boolean {
  const words = toWords(`${label} ${detail}`)
  const typed = toWords(text)
  return typed.length > 0 && typed.every((one) => words.some((word) => word.startsWith(one)))
}

const selectSymbols = ({ lookups, asof }: PaletteState): Row[] =>
  lookups.symbols.rows.map(({ symbol, detail }) => ({
    id: `symbol ${symbol}`,
    kind: 'Symbol',
    label: toVisibleText(symbol),
    detail,
    action: { do: 'open', href: withAsOf(toSymbolHref(symbol), asof) },
  }))

const selectUsers = ({ lookups, asof }: PaletteState): Row[] =>
  lookups.users.rows.map(({ user, detail }) => ({
    id: `user ${user}`,
    kind: 'User',
    label: `#${user}`,
    detail,
    action: { do: 'open', href: withAsOf(toUserHref(user), asof) },
  }))

function selectRating({ lookups: { rating }, asof }: PaletteState): Row[] {
  if (rating === null) return []
  const href = withAsOf(toRatingHref(rating), asof)
  return [{ id: 'rating', kind: 'Rating', label: `#${rating}`, action: { do: 'open', href } }]
}

/** Of the one symbol or user that is named. */
function selectRatingsOf({ search, lookups, toHref, toPhrase }: PaletteState): Row[] {
  const text = search?.text.trim() ?? ''
  const isText = (name: string) => toSymbolKey(name) === toSymbolKey(text.replace('#', ''))
  const symbols = lookups.symbols.rows.filter(({ symbol }) => isText(symbol))
  const users = lookups.users.rows.filter(({ user }) => isText(String(user)))
  const queries = [
    ...symbols.map(({ symbol }) => ({ ...EVERY_RATING, symbol: only(toSymbolKey(symbol)) })),
    ...users.map(({ user }) => ({ ...EVERY_RATING, user: only(user) })),
  ]
  return queries.map((query) => ({
    id: `ratings ${toFilterText(query)}`,
    label: `Show ratings: ${toPhrase(query)}`,
    action: { do: 'open', href: toHref(query) },
  }))
}

const selectViews = ({ views, asof }: PaletteState): Row[] =>
  views.map(({ id, name, address }) => ({
    id: `view ${id}`,
    label: name,
    kind: 'View',
    action: { do: 'open', href: toViewHref(address, asof) },
  }))

const selectDocs = ({ docs, asof }: PaletteState): Row[] =>
  docs.map(({ kind, label, detail, href }) => ({
    id: `docs ${href}`,
    kind: kind === 'word' ? 'Word' : 'Docs',
    label,
    detail: detail === '' ? undefined : detail,
    action: { do: 'open', href: withAsOf(href, asof) },
  }))

type Place = {
  label: string
  href: string
  detail: string
  isFor?: (reader: Reader) => boolean
}

const PLACES: readonly Place[] = [
  { label: 'Ratings', href: '/', detail: 'the table' },
  { label: 'Symbols', href: '/symbols', detail: 'every symbol, with its consensus' },
  {
    label: 'Map of symbols',
    href: '/symbols?view=map',
    detail: 'area by ratings, color by consensus',
  },
  { label: 'Users', href: '/users', detail: 'who rates, and who was right' },
  { label: 'Look-ups', href: '/lookups', detail: 'who looked up which symbol' },
  { label: 'Changes', href: '/changes', detail: 'the week’s ratings, what moved and why' },
  {
    label: 'Record',
    href: '/users/everyone',
    detail: 'how often the whole community was right, judged by prices',
  },
  { label: 'Downloads', href: '/downloads', detail: 'the weekly dumps' },
  { label: 'SQL', href: '/sql', detail: 'queries of your own, in this browser' },
  { label: 'Watching', href: '/watching', detail: 'new ratings of what you watch' },
  { label: 'Status', href: '/status', detail: 'complete, how fresh, and 90 days of syncs' },
  { label: 'About', href: '/about', detail: 'what the ratings are and what the terms mean' },
  { label: 'Help', href: '/help', detail: 'keyboard shortcuts and links' },
  { label: 'Docs', href: '/docs', detail: 'how to use, run and change the dashboard' },
  { label: 'Embedding', href: '/docs/charts#embedding', detail: 'a chart in your own page' },
  { label: 'API', href: '/docs/api', detail: 'the same data for scripts, to try' },
  {
    label: 'Alerts',
    href: '/status/alerts',
    detail: 'rules and webhooks',
    isFor: ({ mayManage }) => mayManage,
  },
  {
    label: 'Your account',
    href: '/account',
    detail: 'your sessions and tokens',
    isFor: ({ signsIn }) => signsIn,
  },
  {
    label: 'Access',
    href: '/access',
    detail: 'accounts, sessions and tokens',
    isFor: ({ signsIn, mayManage }) => signsIn && mayManage,
  },
  {
    label: 'Audit log',
    href: '/access/audit',
    detail: 'sign-ins, refusals, exports and account changes',
    isFor: ({ mayManage }) => mayManage,
  },
]

const selectPlaces = (reader: Reader, asof: number | null): Row[] =>
  PLACES.filter(({ isFor }) => isFor?.(reader) ?? true).map(({ label, href, detail }) => ({
    id: `page ${href}`,
    kind: 'Page',
    label,
    detail,
    action: { do: 'open', href: withAsOf(href, asof) },
  }))

const PAGE_ACTIONS: readonly { action: PageAction; label: string; detail: string }[] = [
  { action: 'export', label: 'Export these rows', detail: 'CSV, JSON, Parquet' },
  { action: 'views', label: 'Save or share this view', detail: 'in the menu Views' },
  { action: 'chart', label: 'Save or embed the chart', detail: 'in the menu ⋯ of the chart' },
]

const selectActions = ({ has }: PaletteState): Row[] =>
  PAGE_ACTIONS.filter(({ action }) => has(action)).map(({ action, label, detail }) => ({
    id: `do ${action}`,
    label,
    detail,
    action: { do: 'page', action },
  }))

/** A wrong value is completed at the caret only: elsewhere, its message is shown. */
function selectFilter(state: PaletteState): Section[] {
  const { read, writing, search, toHref, toPhrase, matches } = state
  const { problem, query } = read
  const isValue = !isBare(writing)
  const values = isValue ? [selectValues(state)] : []
  const names = { name: 'Filter', rows: isValue ? [] : selectNames(state) }
  if (problem && isBare(problem.word)) {
    const isLooking = writing.name === 'symbol' || writing.name === 'user'
    const found = search === null || isLooking ? [] : selectLookups(state, search, true)
    return [...(writing.typed === '' ? [] : [names]), ...found, ...values]
  }
  if (problem)
    return writing.start <= problem.word.end && writing.end >= problem.word.start ? values : []
  const apply: Row = {
    id: 'apply',
    label: `Show ratings: ${toPhrase(query)}`,
    detail: matches,
    action: { do: 'open', href: toHref(query) },
  }
  return [{ name: 'Filter', rows: [apply, ...names.rows] }, ...values]
}

type Span = Pick<Writing, 'start' | 'end'>

/** Completes symbols and users, with the names of their fields unless the place has them. */
function selectLookups({ text, lookups }: PaletteState, place: Span, isNamed: boolean): Section[] {
  const toRows = (name: string, found: readonly { value: string; detail: string }[]) =>
    found.map(({ value, detail }) => {
      const piece = `${isNamed ? `${name}:` : ''}${quoteText(value)}`
      return toCompletion(text, place, { piece, detail })
    })
  const symbols = lookups.symbols.rows.map(({ symbol, detail }) => ({
    value: toVisibleText(symbol),
    detail,
  }))
  const users = lookups.users.rows.map(({ user, detail }) => ({ value: String(user), detail }))
  return [
    { name: 'Symbols', rows: toRows('symbol', symbols), note: lookups.symbols.note },
    { name: 'Users', rows: toRows('user', users), note: lookups.users.note },
  ]
}

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
function selectNames({ text, read, writing }: PaletteState): Row[] {
  const typed = writing.typed.toLowerCase()
  const used = read.words.map(({ name }) => name)
  return [...FILTER_FIELDS]
    .filter(([name]) => (typed === '' ? !used.includes(name) : name.startsWith(typed)))
    .slice(0, MOST_NAMES)
    .map(([name, { hint }]) => toCompletion(text, writing, { piece: `${name}:`, detail: hint }))
}

function selectValues(state: PaletteState): Section {
  const { text, writing } = state
  const name = writing.name ?? ''
  const field = FILTER_FIELDS.get(name)
  if (name === 'symbol' || name === 'user') {
    const found = selectLookups(state, writing, false)
    return found[name === 'symbol' ? 0 : 1] ?? { name, rows: [] }
  }
  const typed = writing.typed.toLowerCase()
  const isSort = field?.parameter.kind.type === 'sort'
  const options = field?.options.filter(
    ({ value, label }) => value === typed || label.toLowerCase().includes(typed),
  )
  const rows = options?.map(({ value, label }) =>
    toCompletion(text, writing, {
      piece: isSort ? label : value,
      label,
      detail: isSort ? undefined : value,
      code: name === 'rating' ? Number(value) : undefined,
    }),
  )
  return { name: `Values of ${name}`, rows: rows ?? [] }
}

export function toShownText(query: RatingsQuery): string {
  const text = toFilterText({ ...query, asof: null })
  return text === '' ? '' : `${text} `
}
