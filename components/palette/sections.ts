import { toViewHref } from '#components/ratings/views/saved-view.ts'
import { THEMES, type Theme } from '#components/ui/theme.ts'
import type { Stars } from '#components/watch/stars.ts'
import { watchedSymbol, watchedUser } from '#components/watch/watched.ts'
import { type Outlook, toOutlookHref } from '#lib/contract/outlook.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { EVERY_RATING, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import { only } from '#lib/contract/value-list.ts'
import { type Asked, type Here, readAsked, selectDoSection, toStarRow } from './actions.ts'
import { selectCompareSection } from './compared.ts'
import {
  type FilterProblem,
  type FilterText,
  parseFilterText,
  toBareNumber,
} from './filter-text/parse-filter-text.ts'
import { toFilterText, toTypedText } from './filter-text/to-filter-text.ts'
import { replaceAt, type Writing } from './filter-text/tokenizer.ts'
import { isCodeName } from './filter-text/vocabulary.ts'
import {
  type Reader,
  selectNamedPage,
  selectNearSection,
  selectNumberSection,
  selectPageRows,
  selectWordSection,
  toPlaceRow,
  toSymbolRow,
  toUserRow,
} from './places.ts'
import type { Search } from './recent-searches.ts'
import {
  hasContent,
  type Lookups,
  type Row,
  type Section,
  selectCompletions,
} from './suggestions.ts'

const MOST_FIXES = 4
const MOST_RECENT = 6

/**
 * Everything the rows are made from. `shownText` is the filter of the page, '' for none. `matches` says how many ratings the filter
 * leaves, where that is known; `now` is in seconds since 1970.
 */
export type PaletteState = {
  text: string
  read: FilterText
  writing: Writing
  shownText: string
  lookups: Lookups
  /** Symbols to be compared, and those of them that nobody has rated; null where nobody compares. */
  compared: { keys: readonly string[]; unknown: readonly string[] } | null
  here: Here
  recent: { searches: readonly Search[]; note?: string }
  views: readonly { id: string; name: string; address: string }[]
  matches: string | undefined
  now: number | null
  outlook: Outlook
  reader: Reader
  /** What is watched; null while nothing of it is loaded. */
  stars: Stars | null
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
  const { text, read, writing, lookups, outlook, compared } = state
  if (text.trim() === '') return toHome(state)
  const isBare = writing.name === null && writing.typed !== ''
  const number = toNumber(read, writing)
  const isWord = isBare && number === null
  const meant = selectMeant(state)
  const asked = readAsked(text, read, state.now)
  const first = [
    ...(compared === null ? [] : [selectCompareSection({ ...compared, outlook })]),
    ...meant,
    ...(asked === null ? [] : [toDo(state, asked)]),
  ].map((section) => ({ ...section, isMeant: true }))
  const taken = new Set(first.flatMap(({ rows }) => rows.map(({ id }) => id)))
  const isLeft = ({ id }: Row) => !taken.has(id)
  const go = [
    ...(isWord ? [selectNearSection(writing, lookups, outlook)] : []),
    ...(isWord ? [selectWordSection(writing, lookups, state)] : []),
    { name: 'Saved views', rows: selectViewRows(state).filter(isNamed(text)) },
    { name: 'Theme', rows: read.words.length === 1 ? selectThemeRows(state, writing.typed) : [] },
  ].map((section) => ({ ...section, rows: section.rows.filter(isLeft) }))
  const completions = selectCompletions(state)
  if (read.problems.length === 0) {
    return [...first, toApply(state), ...selectStars(meant, state), ...completions, ...go]
  }
  const numbers = number === null ? [] : [toNumbers(state, number)]
  const isAlone = read.words.length === 1
  return [
    ...first,
    ...(isAlone ? numbers : []),
    toFixes(state),
    ...(writing.typed === '' ? [toRest(state), ...completions] : [...completions, toRest(state)]),
    ...(isAlone ? [] : numbers),
    ...go,
  ]
}

function toNumbers({ lookups, outlook, toHref, toPhrase }: PaletteState, number: number): Section {
  const query = { ...EVERY_RATING, user: only(number) }
  const filter: Row = {
    id: 'ratings by number',
    label: `Show ratings: ${toPhrase(query)}`,
    action: { do: 'open', href: toHref(query), remember: toFilterText(query) },
  }
  return selectNumberSection(number, lookups, { outlook, filter })
}

const toDo = (state: PaletteState, asked: Asked): Section => {
  const { outlook, here, stars, toHref, toPhrase } = state
  const pages = asked.words.flatMap((word) => selectPageRows(word, state))
  const once = pages.filter(({ id }, index) => pages.findIndex((page) => page.id === id) === index)
  const toLeagueHref = (league: string) => toOutlookHref(`/${league}`, outlook)
  return selectDoSection({ ...asked, here, stars, toHref, toPhrase, toLeagueHref, pages: once })
}

/** The word that is the whole text and is read as a symbol, as a key; null where there is none. */
function toLoneWord({ read: { words, query, problems } }: PaletteState): string | null {
  const [word, ...others] = words
  const [symbol, ...more] = query.symbol.only
  if (!word || others.length > 0 || word.name !== null || problems.length > 0) return null
  const isPlain = word.items.length === 1 && !word.isNot && !word.items[0]?.isQuoted
  return isPlain && more.length === 0 && symbol !== undefined ? symbol : null
}

/** Whoever names one symbol, one user or one page and nothing else wants to see its page: it stands before the filter. */
function selectMeant(state: PaletteState): Section[] {
  const { outlook, lookups, read } = state
  const known = selectKnown(state)
  if (known)
    return [
      {
        name: 'Symbol',
        rows: [toSymbolRow(known, outlook)],
      },
    ]
  const word = toLoneWord(state)
  const page = word === null ? null : selectNamedPage(word, state)
  if (page) return [{ name: 'Page', rows: [page] }]
  const [user] = read.query.user.only
  const isBare = read.words.every(({ name, isNot }) => name === null && !isNot)
  if (user === undefined || !isBare || toFilterText(read.query) !== `user:${user}`) return []
  const detail = lookups.users.found.find((one) => one.user === user)?.detail
  return [{ name: 'User', rows: [toUserRow(user, detail, outlook)] }]
}

/** What is named may be watched: behind its page and its filter, which more people want. */
function selectStars(meant: readonly Section[], state: PaletteState): Section[] {
  const [user] = state.read.query.user.only
  const [symbol] = state.read.query.symbol.only
  const named = meant.map(({ name }) => name)
  const of = [
    ...(named.includes('Symbol') && symbol !== undefined ? [watchedSymbol(symbol)] : []),
    ...(named.includes('User') && user !== undefined ? [watchedUser(user)] : []),
  ]
  return [{ name: 'Watch', rows: of.map((one) => toStarRow(one, state.stars)) }]
}

/** The symbol that is the whole text, where somebody has rated it. */
function selectKnown(state: PaletteState) {
  const word = toLoneWord(state)
  return state.lookups.symbols.found.find(({ symbol }) => toSymbolKey(symbol) === word)
}

/** The whole text may be a symbol, which the next answer says: what Enter does follows from that. */
export const isUndecided = (state: PaletteState): boolean =>
  toLoneWord(state) !== null &&
  state.lookups.symbols.isOld &&
  selectMeant(state).length === 0 &&
  readAsked(state.text, state.read, state.now) === null

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
  if (sections[0]?.isMeant) return 0
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
        label: toTypedText(fix),
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
    { name: 'This filter', rows: selectShownRows(state), isMeant: true },
    {
      name: 'Recent searches',
      rows: [...recent.searches.slice(0, MOST_RECENT).map(toRecent(state)), ...toForget(recent)],
      note: recent.note,
    },
    { name: 'Saved views', rows: selectViewRows(state) },
    { name: 'Go to', rows: selectPageRows('', state) },
    { name: 'Theme', rows: selectThemeRows(state, '') },
    ...selectCompletions(state),
  ]
}

/** The filter of the page can be edited or removed. */
function selectShownRows({ shownText, toHref }: PaletteState): Row[] {
  if (shownText === '') return []
  return [
    {
      id: 'edit',
      label: 'Edit this filter',
      action: { do: 'write', text: shownText, caret: shownText.length },
    },
    {
      id: 'every rating',
      label: 'Show every rating',
      action: { do: 'open', href: toHref(EVERY_RATING) },
    },
  ]
}

/** A place, looked at as it is here, or a filter; one that is wrong by now goes into the field, where it can be mended. */
const toRecent =
  ({ toHref, now, outlook, read }: PaletteState) =>
  (search: Search): Row => {
    if (typeof search !== 'string') return toPlaceRow(search, outlook, 'recent ')
    const { query, problems } = parseFilterText(search, now, read.watched)
    return {
      id: `recent ${search}`,
      label: toTypedText(search),
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
 * The filter of the page as text. The page number is left out, since the rows change, and the instant, which stays
 * unless the text names one.
 */
export function toShownText(query: RatingsQuery): string {
  const text = toFilterText({ ...query, page: EVERY_RATING.page, asof: null })
  return text === '' ? '' : `${text} `
}
