import { toSymbolHref, toUserHref } from '#components/address/page-address.ts'
import { toRatingHref } from '#components/address/rating-address.ts'
import { withAsOf } from '#lib/contract/as-of.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import type { Writing } from './filter-text/tokenizer.ts'
import type { RecentPage } from './recent-searches.ts'
import {
  type FoundSymbol,
  isOutdated,
  type Lookups,
  type MatchResult,
  type Row,
  type Section,
  toFoundText,
} from './suggestions.ts'

const MOST = 3
const MOST_NEAR = 4

export const toPlaceRow = (place: RecentPage, asof: number | null, before = ''): Row => ({
  id: `${before}${place.kind} ${place.label}`,
  kind: place.kind,
  label: toVisibleText(place.label),
  action: { do: 'open', href: withAsOf(place.path, asof), remember: place },
})

export function selectNumberSection(
  number: number,
  { users, ratings }: Lookups,
  { asof, filter }: { asof: number | null; filter: Row },
): Section {
  const others = users.found.filter(({ user }) => user !== number).slice(0, MOST)
  const rating = { kind: 'Rating', label: `#${number}`, path: toRatingHref(number) }
  const user = selectUserRow(number, users, asof)
  return {
    name: 'Go to',
    rows: [
      ...user.flatMap((row) => [row, { ...filter, isOld: row.isOld }]),
      ...(mayHold(ratings, number) ? [toPlaceRow(rating, asof)] : []),
      ...others.map(({ user, detail }) => ({
        ...toUserRow(user, detail, asof),
        isOld: isOutdated(users.isOld, String(user), String(number)),
      })),
    ],
    isOld: users.isOld,
    note: users.note,
  }
}

/** True if the look-up failed. */
export const mayHold = ({ found, isOld, note }: MatchResult<number>, value: number): boolean =>
  found.includes(value) || (note !== undefined && !isOld)

export function selectUserRow(userId: number, users: Lookups['users'], asof: number | null): Row[] {
  const known = users.found.find(({ user }) => user === userId)
  const hasAnswered = !users.isOld && users.note === undefined
  if (!known && hasAnswered) return []
  return [{ ...toUserRow(userId, known?.detail, asof), isOld: !known && users.isOld }]
}

const toUserRow = (userId: number, detail: string | undefined, asof: number | null): Row => ({
  ...toPlaceRow({ kind: 'User', label: `#${userId}`, path: toUserHref(userId) }, asof),
  detail,
})

export const toSymbolRow = (
  { symbol, detail }: FoundSymbol,
  asof: number | null,
  before = '',
): Row => ({
  ...toPlaceRow({ kind: 'Symbol', label: symbol, path: toSymbolHref(symbol) }, asof, before),
  detail,
})

type PageRowsContext = { asof: number | null; reader: Reader }

export const selectOnce = (rows: readonly Row[]): Row[] =>
  rows.filter(({ id }, index) => rows.findIndex((row) => row.id === id) === index)

export function selectWordSection(
  { typed }: Writing,
  { symbols }: Lookups,
  { asof, reader, text }: PageRowsContext & { text: string },
): Section {
  const pages = [text.trim(), typed].flatMap((name) => selectPageRows(name, { asof, reader }))
  const rows = symbols.found.slice(0, MOST).map((found) => ({
    ...toSymbolRow(found, asof),
    isOld: isOutdated(symbols.isOld, toFoundText(found), typed),
  }))
  return {
    name: 'Go to',
    rows: [...rows, ...selectOnce(pages)],
    isOld: symbols.isOld,
  }
}

export function selectNearSection(
  { typed }: Writing,
  { symbols, near }: Lookups,
  asof: number | null,
): Section {
  const known = symbols.found.map(({ symbol }) => symbol)
  const others = near.found.filter(({ symbol }) => !known.includes(symbol))
  return {
    name: `Symbols like ${toVisibleText(toSymbolKey(typed))}`,
    rows: others
      .slice(0, MOST_NEAR)
      .map((found) => ({ ...toSymbolRow(found, asof, 'near '), isOld: near.isOld })),
    isOld: near.isOld,
    isGuess: true,
  }
}

type PageFact = {
  label: string
  href: string
  detail: string
  words: readonly string[]
  isFor?: (reader: Reader) => boolean
}

export type Reader = { signsIn: boolean; mayManage: boolean }

const PAGES: readonly PageFact[] = [
  { label: 'Ratings', href: '/', detail: 'the table', words: [] },
  { label: 'Symbols', href: '/symbols', detail: 'every symbol, with its consensus', words: [] },
  {
    label: 'Map of symbols',
    href: '/symbols?view=map',
    detail: 'area by ratings, color by consensus',
    words: ['treemap', 'heat map', 'sectors'],
  },
  { label: 'Users', href: '/users', detail: 'who rates, and who was right', words: [] },
  {
    label: 'Look-ups',
    href: '/lookups',
    detail: 'who looked up which symbol',
    words: ['attention', 'rooms', 'slack', 'discord'],
  },
  {
    label: 'Changes',
    href: '/changes',
    detail: 'the week’s ratings, what moved and why',
    words: ['report', 'week', 'news', 'moves', 'what changed', 'expires', 'editions'],
  },
  {
    label: 'Record',
    href: '/users/everyone',
    detail: 'how often the whole community was right, judged by prices',
    words: ['right', 'hit rate', 'calibration', 'performance', 'track record'],
  },
  {
    label: 'Downloads',
    href: '/downloads',
    detail: 'the weekly dumps',
    words: ['dumps', 'csv', 'excel', 'exports', 'files', 'spreadsheets'],
  },
  {
    label: 'SQL',
    href: '/sql',
    detail: 'queries of your own, in this browser',
    words: ['query', 'queries', 'database', 'duckdb', 'select', 'tables'],
  },
  {
    label: 'Watching',
    href: '/watching',
    detail: 'new ratings of what you watch',
    words: ['stars', 'starred', 'watched', 'favourites', 'new'],
  },
  {
    label: 'Status',
    href: '/status',
    detail: 'complete, how fresh, and 90 days of syncs',
    words: ['sync', 'backups', 'uptime', 'health'],
  },
  {
    label: 'About',
    href: '/about',
    detail: 'what the ratings are and what the terms mean',
    words: [],
  },
  { label: 'Help', href: '/help', detail: 'keyboard shortcuts and links', words: ['keys'] },
  {
    label: 'Docs',
    href: '/docs',
    detail: 'how to use, run and change the dashboard',
    words: ['documentation'],
  },
  {
    label: 'Embedding',
    href: '/docs/charts#embedding',
    detail: 'a chart in your own page',
    words: ['iframe', 'share'],
  },
  { label: 'API', href: '/docs/api', detail: 'the same data for scripts, to try', words: ['json'] },
  {
    label: 'Your account',
    href: '/account',
    detail: 'your sessions and tokens',
    words: ['account', 'password', 'sessions', 'tokens', 'sign out'],
    isFor: ({ signsIn }) => signsIn,
  },
  {
    label: 'Access',
    href: '/access',
    detail: 'accounts, sessions and tokens',
    words: ['accounts', 'operators', 'readers', 'sessions', 'tokens'],
    isFor: ({ signsIn, mayManage }) => signsIn && mayManage,
  },
  {
    label: 'Audit log',
    href: '/access/audit',
    detail: 'sign-ins, refusals, exports and account changes',
    words: ['audit', 'log', 'sign-in', 'refused'],
    isFor: ({ mayManage }) => mayManage,
  },
]

const selectPages = (reader: Reader) => PAGES.filter(({ isFor }) => isFor?.(reader) ?? true)

const toPageRow = ({ label, href, detail }: PageFact, asof: number | null): Row => ({
  id: `page ${href}`,
  kind: 'Page',
  label,
  detail,
  action: { do: 'open', href: withAsOf(href, asof) },
})

export const selectPageRows = (typed: string, { asof, reader }: PageRowsContext): Row[] =>
  selectPages(reader)
    .filter(({ label, words }) =>
      [label, ...(typed.length > 2 ? words : [])].some((word) =>
        toPlain(word).startsWith(toPlain(typed)),
      ),
    )
    .map((page) => toPageRow(page, asof))

const toPlain = (text: string) => text.toLowerCase().replace(/[\s-]/g, '')

export function selectNamedPage(typed: string, { asof, reader }: PageRowsContext): Row | null {
  const page = selectPages(reader).find(({ label }) => toPlain(label) === toPlain(typed))
  return page ? toPageRow(page, asof) : null
}
