import { toAlertHref, toRatingsLinks } from '#components/address/view-links.ts'
import type { Stars } from '#components/watch/stars.ts'
import {
  toWatchedName,
  type Watched,
  watchedSymbol,
  watchedUser,
} from '#components/watch/watched.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { type FilterText, parseFilterText } from './filter-text/parse-filter-text.ts'
import { isJoining } from './filter-text/plain-words.ts'
import type { Word } from './filter-text/tokenizer.ts'
import type { PageAction } from './page-actions.ts'
import type { Row, Section } from './suggestions.ts'

export type PageContext = {
  has: (action: PageAction) => boolean
  exports: 'ratings' | 'symbols' | 'users' | null
  ratingsHref: string
  /** `asof`: seconds since 1970. Null if the page has no past. */
  toRewoundHref: ((asof: number) => string) | null
  subject: Watched | null
}

type ActionName = PageAction | 'link' | 'star' | 'feed' | 'alert'

const FILES = [
  ...['export', 'exports', 'download', 'downloads', 'dump', 'dumps', 'file', 'files'],
  ...['csv', 'excel', 'xlsx', 'spreadsheet', 'json', 'ndjson', 'parquet'],
]

const WORDS: Readonly<Record<ActionName, readonly string[]>> = {
  export: FILES,
  views: ['save', 'bookmark', 'share', 'view', 'views'],
  chart: ['embed', 'embedding', 'iframe', 'save', 'share', 'png', 'svg', 'picture', 'image'],
  link: ['share', 'copy', 'link', 'url'],
  star: ['watch', 'unwatch', 'star', 'unstar'],
  feed: ['feed', 'feeds', 'rss', 'atom', 'follow'],
  alert: ['alert', 'alerts', 'notify', 'webhook', 'webhooks'],
}
const DEEDS = Object.keys(WORDS) as ActionName[]

const BESIDE = new Set([
  ...['this', 'these', 'it', 'as', 'to', 'a', 'my', 'all', 'page', 'chart', 'graph', 'data'],
  ...['weekly', 'table', 'rows', 'users', 'symbols', 'how', 'can', 'i'],
])

export type SearchInput = {
  words: readonly string[]
  rest: string
  query: RatingsQuery
  league: 'symbols' | 'users' | null
}

export function readAsked(text: string, { words, context }: FilterText): SearchInput | null {
  const said = words.map(toSaid)
  const asked = said.filter((word) => DEEDS.some((deed) => WORDS[deed].includes(word)))
  if (asked.length === 0) return null
  const left = words.filter((word, index) => {
    const one = said[index] ?? ''
    return !asked.includes(one) && !BESIDE.has(one) && !isJoining(word)
  })
  const rest = left.map(({ start, end }) => text.slice(start, end)).join(' ')
  const { query, problems } = parseFilterText(rest, context)
  const league = (['symbols', 'users'] as const).find((one) => said.includes(one)) ?? null
  return problems.length > 0 ? null : { words: asked, rest, query, league }
}

/** Lower case, or ''. */
const toSaid = ({ name, isNot, items }: Word): string => {
  const [item, ...others] = items
  const isPlain = name === null && !isNot && item && others.length === 0 && !item.isQuoted
  return isPlain ? item.text.toLowerCase() : ''
}

type ActionContext = SearchInput & {
  here: PageContext
  stars: Stars | null
  toHref: (query: RatingsQuery) => string
  toPhrase: (query: RatingsQuery) => string
  toLeagueHref: (league: 'symbols' | 'users') => string
  pages: readonly Row[]
  mayManage: boolean
}

export function selectDoSection(doing: ActionContext): Section {
  const { words, here, pages } = doing
  const wants = (deed: ActionName) => words.some((word) => WORDS[deed].includes(word))
  const isOfDumps = words.some((word) => /^dumps?$|^downloads$/.test(word))
  const exported = wants('export') ? toExportRows(doing) : []
  return {
    name: 'Do',
    rows: [
      ...(isOfDumps ? [...pages, ...exported] : exported),
      ...(wants('feed') ? [toFeedRow(doing)] : []),
      ...(wants('alert') && doing.mayManage ? [toAlertRow(doing)] : []),
      ...(wants('star') ? toStarRows(doing) : []),
      ...(wants('chart') && here.has('chart') ? [CHART] : []),
      ...(wants('views') ? [toViewsRow(doing)] : []),
      ...(wants('link') ? [LINK] : []),
      ...(isOfDumps ? [] : pages),
    ],
  }
}

function toStarRows({ rest, query, here, stars }: ActionContext): Row[] {
  const [symbol, user] = [query.symbol.only, query.user.only]
  const named =
    symbol.length + user.length > 1
      ? []
      : [...symbol.map((one) => watchedSymbol(one)), ...user.map((one) => watchedUser(one))]
  const here_ = rest === '' && here.subject ? [here.subject] : []
  return [...named, ...here_].map((of) => toStarRow(of, stars))
}

export function toStarRow(of: Watched, stars: Stars | null): Row {
  const isOn = stars?.stars.some(({ kind, key }) => kind === of.kind && key === of.key) ?? false
  return {
    id: `do star ${of.kind} ${of.key}`,
    label: `${isOn ? 'Stop watching' : 'Watch'} ${toWatchedName(of)}`,
    detail: isOn ? 'removes its star' : 'shows what is new',
    action: { do: 'star', of },
  }
}

function toAlertRow({ rest, query, toPhrase }: ActionContext): Row {
  const row = { id: 'do alert', label: 'New alert', detail: 'under Status' }
  if (rest === '') return { ...row, action: { do: 'open', href: '/status/alerts' } }
  const { alert } = toRatingsLinks(query, toPhrase(query))
  const label = `${row.label}: ${toPhrase(query)}`
  return { ...row, label, action: { do: 'open', href: toAlertHref(alert) } }
}

function toFeedRow({ rest, query, here, toHref, toPhrase }: ActionContext): Row {
  const row = { id: 'do feed', detail: 'Atom, in the menu ⋯' }
  const label = 'Follow new ratings in a feed reader'
  if (rest !== '') {
    const action = { do: 'page', action: 'export', href: toHref(query) } as const
    return { ...row, label: `${label}: ${toPhrase(query)}`, action }
  }
  const href = here.exports === 'ratings' ? undefined : here.ratingsHref
  return { ...row, label, action: { do: 'page', action: 'export', href } }
}

const CHART: Row = {
  id: 'do chart',
  label: 'Save or embed the chart',
  detail: 'in the menu ⋯ of the chart',
  action: { do: 'page', action: 'chart' },
}

const LINK: Row = {
  id: 'do link',
  label: 'Copy the link to this page',
  detail: 'with its filters',
  action: { do: 'copy' },
}

function toExportRows({ rest, query, league, here, ...to }: ActionContext): Row[] {
  const detail = 'CSV, JSON, Parquet'
  if (rest !== '') {
    const label = `Export ratings: ${to.toPhrase(query)}`
    const action = { do: 'page', action: 'export', href: to.toHref(query) } as const
    return [{ id: 'do export', label, detail, action }]
  }
  if (league !== null && league !== here.exports) {
    const action = { do: 'page', action: 'export', href: to.toLeagueHref(league) } as const
    return [{ id: 'do export', label: `Export ${league}`, detail: 'CSV, JSON', action }]
  }
  const ratings: Row = {
    id: 'do export',
    label: 'Export ratings',
    detail,
    action: { do: 'page', action: 'export', href: here.ratingsHref },
  }
  if (here.exports === null) return [ratings]
  const these: Row = {
    id: 'do export here',
    label: `Export these ${here.exports}`,
    detail: here.exports === 'ratings' ? detail : 'CSV, JSON',
    action: { do: 'page', action: 'export' },
  }
  return here.exports === 'ratings' ? [these] : [these, ratings]
}

function toViewsRow({ rest, query, here, toHref }: ActionContext): Row {
  const row = { id: 'do views', label: 'Save or share this view', detail: 'in the menu Views' }
  if (rest === '' && here.has('views')) return { ...row, action: { do: 'page', action: 'views' } }
  const href = rest === '' ? here.ratingsHref : toHref(query)
  return {
    ...row,
    label: 'Save or share a view of ratings',
    action: { do: 'page', action: 'views', href },
  }
}
