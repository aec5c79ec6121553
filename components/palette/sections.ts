import { toSymbolHref, toUserHref } from '#components/address/page-address.ts'
import { toRatingHref } from '#components/address/rating-address.ts'
import { toViewHref } from '#components/ratings/views/saved-view.ts'
import { THEMES, type Theme } from '#components/ui/theme.ts'
import { type Outlook, toOutlookHref } from '#lib/contract/outlook.ts'
import { EVERY_RATING, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import {
  type FilterProblem,
  type FilterText,
  parseFilterText,
  toBareNumber,
} from './filter-text/parse-filter-text.ts'
import { toFilterText } from './filter-text/to-filter-text.ts'
import { replaceAt, type Writing } from './filter-text/tokenizer.ts'
import { isCodeName } from './filter-text/vocabulary.ts'
import type { Place, Search } from './recent-searches.ts'
import {
  hasContent,
  isOutdated,
  type Lookups,
  type Row,
  type Section,
  selectCompletions,
} from './suggestions.ts'

const MOST_FIXES = 4
const MOST_RECENT = 6

/**
 * Everything the rows are made from. `isUntouched`: nothing was typed yet. `matches` says how many ratings the filter
 * leaves, where that is known; `now` is in seconds since 1970.
 */
export type PaletteState = {
  text: string
  read: FilterText
  writing: Writing
  isUntouched: boolean
  lookups: Lookups
  recent: { searches: readonly Search[]; note?: string }
  views: readonly { id: string; name: string; address: string }[]
  matches: string | undefined
  now: number | null
  outlook: Outlook
  /** The theme that the page shows. */
  theme: Theme
  toHref: (query: RatingsQuery) => string
  /** The filters of a query in words; '' where there are none. */
  toPhrase: (query: RatingsQuery) => string
}

/** The rows of the palette under their names, the likeliest first. */
export function selectSections(state: PaletteState): Section[] {
  return toSections(state).filter(hasContent)
}

function toSections(state: PaletteState): Section[] {
  const { text, read, writing, lookups } = state
  const isBlank = text.trim() === ''
  if (state.isUntouched || isBlank) {
    return [...(state.isUntouched ? [] : [toApply(state)]), ...toHome(state)]
  }
  const isBare = writing.name === null && writing.typed !== ''
  const number = toNumber(read, writing)
  const isWord = isBare && number === null
  const go = [
    ...(isWord ? [selectNearSection(writing, lookups, state.outlook)] : []),
    ...(isWord ? [selectWordSection(writing, lookups, state.outlook)] : []),
    { name: 'Saved views', rows: selectViewRows(state).filter(isNamed(text)) },
    { name: 'Theme', rows: read.words.length === 1 ? selectThemeRows(state, writing.typed) : [] },
  ]
  const completions = selectCompletions(state)
  if (read.problems.length === 0) return [toApply(state), ...completions, ...go]
  const numbers = number === null ? [] : [selectNumberSection(number, lookups, state.outlook)]
  const isAlone = read.words.length === 1
  return [
    ...(isAlone ? numbers : []),
    toFixes(state),
    ...(writing.typed === '' ? [toRest(state), ...completions] : [...completions, toRest(state)]),
    ...(isAlone ? [] : numbers),
    ...go,
  ]
}

/** The bare number at the caret. */
function toNumber({ words }: FilterText, { start }: Writing): number | null {
  const word = words.find((one) => one.start <= start && start <= one.end)
  return word ? toBareNumber(word) : null
}

/** The row that is marked before anybody moves: what Enter does. -1 where Enter would surprise. */
export function selectFirst(sections: readonly Section[], state: PaletteState): number {
  const { read, writing } = state
  const first = sections[0]?.rows[0]
  if (first === undefined || first.isOld) return -1
  if (first.id === 'apply') return isBeginning(state) ? placeOfSymbols(sections) : 0
  if (sections[0]?.name === 'Go to' && read.words.length === 1) return 0
  const isWrong = read.problems.some(
    ({ start, end }) => start <= writing.end && writing.start <= end,
  )
  return isWrong && first.action.do === 'write' && writing.typed !== '' ? 0 : -1
}

/** What is typed is no symbol that anybody rated, but symbols begin with it: the likeliest of them is meant. */
function isBeginning({ read, writing: { name, typed }, lookups: { symbols } }: PaletteState) {
  if (name !== null || typed === '' || symbols.isOld || symbols.found.length === 0) return false
  const word = typed.toUpperCase()
  const isSymbol = read.query.symbol.only.some((symbol) => symbol === word)
  return isSymbol && symbols.found.every(({ symbol }) => symbol.toUpperCase() !== word)
}

/** Where the first symbol stands among all rows; the first row of all where there is none. */
function placeOfSymbols(sections: readonly Section[]): number {
  const at = sections.findIndex(({ name, rows }) => name === 'Symbols' && rows.length > 0)
  return sections.slice(0, Math.max(0, at)).reduce((sum, { rows }) => sum + rows.length, 0)
}

function toApply({ read, matches, toHref, toPhrase, text }: PaletteState): Section {
  const phrase = toPhrase(read.query)
  const row: Row = {
    id: 'apply',
    label: phrase === '' ? 'Show every rating' : `Show ratings: ${phrase}`,
    detail: matches,
    action: { do: 'open', href: toHref(read.query), remember: text },
  }
  return { name: 'Filter', rows: [row] }
}

/** What is right in a text where something else is not. */
function toRest({ read, toHref, toPhrase }: PaletteState): Section {
  if (read.words.length <= read.problems.length) return { name: 'Filter', rows: [] }
  const rest = toFilterText(read.query)
  const row: Row = {
    id: 'rest',
    label: `Apply the rest: ${toPhrase(read.query) || rest}`,
    action: { do: 'open', href: toHref(read.query), remember: rest },
  }
  return { name: 'Filter', rows: [row] }
}

/** Words that may have been meant. Labels of a code or a lens that is being written stand in its own list. */
function toFixes({ text, read, writing }: PaletteState): Section {
  const isListed = ({ start, end }: FilterProblem) =>
    writing.name !== null &&
    (isCodeName(writing.name) || writing.name === 'quality') &&
    start <= writing.start &&
    writing.end <= end
  const problems = read.problems.filter((problem) => !isListed(problem))
  const rows = problems.flatMap((problem) =>
    problem.fixes.map(
      (fix): Row => ({
        id: `fix ${problem.start} ${fix}`,
        label: fix,
        isText: true,
        action: { do: 'write', ...replaceAt(text, problem, fix) },
      }),
    ),
  )
  const isChoice = toNumber(read, writing) !== null
  return { name: isChoice ? 'Filter by' : 'Did you mean', rows: rows.slice(0, MOST_FIXES) }
}

function toHome(state: PaletteState): Section[] {
  const { recent } = state
  return [
    {
      name: 'Recent searches',
      rows: [...recent.searches.slice(0, MOST_RECENT).map(toRecent(state)), ...toForget(recent)],
      note: recent.note,
    },
    { name: 'Saved views', rows: selectViewRows(state) },
    { name: 'Go to', rows: selectPageRows('', state.outlook) },
    { name: 'Theme', rows: selectThemeRows(state, '') },
    ...selectCompletions(state),
  ]
}

/** A place, looked at as it is here, or a filter; one that is wrong by now goes into the field, where it can be mended. */
const toRecent =
  ({ toHref, now, outlook }: PaletteState) =>
  (search: Search): Row => {
    if (typeof search !== 'string') return toPlaceRow(search, outlook, 'recent ')
    const { query, problems } = parseFilterText(search, now)
    return {
      id: `recent ${search}`,
      label: search,
      isText: true,
      action:
        problems.length > 0
          ? { do: 'write', text: search, caret: search.length }
          : { do: 'open', href: toHref(query), remember: search },
    }
  }

const toForget = ({ searches }: PaletteState['recent']): Row[] =>
  searches.length === 0
    ? []
    : [{ id: 'forget', label: 'Forget recent searches', action: { do: 'forget' } }]

const selectViewRows = ({ views, outlook }: PaletteState): Row[] =>
  views.map(({ id, name, address }) => ({
    id: `view ${id}`,
    label: name,
    kind: 'View',
    action: { do: 'open', href: toViewHref(address, outlook.asof) },
  }))

/** All that is typed stands in the name. */
const isNamed =
  (text: string) =>
  ({ label }: Row): boolean =>
    label.toLowerCase().includes(text.trim().toLowerCase())

const THEME_LABELS: Readonly<Record<Theme, string>> = {
  system: 'Theme as the system',
  light: 'Light theme',
  dark: 'Dark theme',
}

/** The themes, found by a word of their names; the one that is shown says so. */
const selectThemeRows = ({ theme }: PaletteState, typed: string): Row[] =>
  THEMES.filter((one) =>
    THEME_LABELS[one]
      .toLowerCase()
      .split(' ')
      .some((word) => word.length > 2 && word.startsWith(typed.toLowerCase())),
  ).map((one) => ({
    id: `theme ${one}`,
    label: THEME_LABELS[one],
    detail: one === theme ? 'shown now' : undefined,
    action: { do: 'theme', theme: one },
  }))

/**
 * The text that the palette begins with: what the page shows. Its page is left out, since the rows become others, and
 * the instant, which stays unless the text names one.
 */
export function toStartText(query: RatingsQuery): string {
  const text = toFilterText({ ...query, page: EVERY_RATING.page, asof: null })
  return text === '' ? '' : `${text} `
}

const MOST = 3
const MOST_NEAR = 4

/** A page that is remembered once somebody went there. `before` tells it from another row that leads to the same. */
const toPlaceRow = (place: Place, outlook: Outlook, before = ''): Row => ({
  id: `${before}${place.kind} ${place.label}`,
  kind: place.kind,
  label: place.label,
  action: { do: 'open', href: toOutlookHref(place.path, outlook), remember: place },
})

/** The user and the rating with a number, which may be there or not, and users whose number begins with it. */
function selectNumberSection(number: number, { users }: Lookups, outlook: Outlook): Section {
  const known = users.found.find(({ user }) => user === number)
  const others = users.found.filter(({ user }) => user !== number).slice(0, MOST)
  const rating = { kind: 'Rating', label: `#${number}`, path: toRatingHref(number) }
  return {
    name: 'Go to',
    rows: [
      toUserRow(number, known?.detail, outlook),
      toPlaceRow(rating, outlook),
      ...others.map(({ user, detail }) => ({
        ...toUserRow(user, detail, outlook),
        isOld: isOutdated(users.isOld, String(user), String(number)),
      })),
    ],
    isOld: users.isOld,
    note: users.note,
  }
}

const toUserRow = (userId: number, detail: string | undefined, outlook: Outlook): Row => ({
  ...toPlaceRow({ kind: 'User', label: `#${userId}`, path: toUserHref(userId) }, outlook),
  detail,
})

type FoundSymbol = Lookups['symbols']['found'][number]

const toSymbolRow = ({ symbol, detail }: FoundSymbol, outlook: Outlook, before = ''): Row => ({
  ...toPlaceRow({ kind: 'Symbol', label: symbol, path: toSymbolHref(symbol) }, outlook, before),
  detail,
})

/** Symbols and pages that a bare word may name. */
function selectWordSection({ typed }: Writing, { symbols }: Lookups, outlook: Outlook): Section {
  const rows = symbols.found.slice(0, MOST).map((found) => ({
    ...toSymbolRow(found, outlook),
    isOld: isOutdated(symbols.isOld, found.symbol, typed),
  }))
  return { name: 'Go to', rows: [...rows, ...selectPageRows(typed, outlook)], isOld: symbols.isOld }
}

/** Symbols that are spelled nearly as what is typed, where few hold it. */
function selectNearSection(
  { typed }: Writing,
  { symbols, near }: Lookups,
  outlook: Outlook,
): Section {
  const known = symbols.found.map(({ symbol }) => symbol)
  const others = near.found.filter(({ symbol }) => !known.includes(symbol))
  return {
    name: `Symbols like ${typed.toUpperCase()}`,
    rows: others
      .slice(0, MOST_NEAR)
      .map((found) => ({ ...toSymbolRow(found, outlook, 'near '), isOld: near.isOld })),
    isOld: near.isOld,
  }
}

const PAGES = [
  { label: 'Ratings', href: '/', detail: 'the table' },
  { label: 'Symbols', href: '/symbols', detail: 'every symbol, with its consensus' },
  { label: 'Users', href: '/users', detail: 'who rates, and how they compare' },
  { label: 'Downloads', href: '/downloads', detail: 'the weekly dumps' },
  { label: 'Status', href: '/status', detail: 'what the sync did and will do' },
  { label: 'About', href: '/about', detail: 'what the ratings are, and what the words mean' },
  { label: 'Help', href: '/help', detail: 'the keys, and where help is' },
  { label: 'Docs', href: '/docs', detail: 'how to use, run and change the dashboard' },
  { label: 'API', href: '/docs/api', detail: 'the same data for scripts, to try' },
]

/** The pages whose name begins with what is typed, looked at as it is here. */
const selectPageRows = (typed: string, outlook: Outlook): Row[] =>
  PAGES.filter(({ label }) => label.toLowerCase().startsWith(typed.toLowerCase())).map(
    ({ label, href, detail }) => ({
      id: `page ${href}`,
      kind: 'Page',
      label,
      detail,
      action: { do: 'open', href: toOutlookHref(href, outlook) },
    }),
  )
