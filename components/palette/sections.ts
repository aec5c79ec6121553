import { toAsofText } from '#components/format/instants.ts'
import { THEMES, type Theme } from '#components/ui/theme.ts'
import { toViewHref } from '#components/views/view-pages.ts'
import type { Stars } from '#components/watch/stars.ts'
import { watchedSymbol, watchedUser } from '#components/watch/watched.ts'
import type { DocsEntry } from '#lib/contract/answers/docs-index.ts'
import { withAsOf } from '#lib/contract/as-of.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { EVERY_RATING, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import { only } from '#lib/contract/value-list.ts'
import {
  type PageContext,
  readAsked,
  type SearchInput,
  selectDoSection,
  toStarRow,
} from './actions.ts'
import { selectCompareSection } from './compared.ts'
import { selectDocs } from './docs-index.ts'
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
  mayHold,
  type Reader,
  selectNamedPage,
  selectNearSection,
  selectNumberSection,
  selectOnce,
  selectPageRows,
  selectUserRow,
  selectWordSection,
  toPlaceRow,
  toSymbolRow,
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

export type PaletteState = {
  text: string
  read: FilterText
  writing: Writing
  shownText: string
  lookups: Lookups
  compared: { keys: readonly string[]; unknown: readonly string[] } | null
  here: PageContext
  recent: { searches: readonly Search[]; note?: string }
  views: readonly { id: string; name: string; address: string }[]
  docs: readonly DocsEntry[] | null
  matches: { total: number; text: string } | undefined
  isLooking: boolean
  /** Seconds since 1970. */
  now: number | null
  /** Seconds since 1970; null is now. */
  asof: number | null
  zone: string
  reader: Reader
  stars: Stars | null
  theme: Theme
  toHref: (query: RatingsQuery) => string
  toPhrase: (query: RatingsQuery) => string
}

export function selectSections(state: PaletteState): Section[] {
  return toSections(state).filter(hasContent)
}

function toSections(state: PaletteState): Section[] {
  const { text, read, writing, lookups, asof, matches } = state
  if (text.trim() === '') return toHome(state)
  const isBare = writing.name === null && writing.typed !== ''
  const number = toNumber(read, writing)
  const isWord = isBare && number === null
  const first = selectFirstSections(state)
  const taken = new Set(first.flatMap(({ rows }) => rows.map(({ id }) => id)))
  const withoutTaken = (section: Section) => ({
    ...section,
    rows: section.rows.filter(({ id }) => !taken.has(id)),
  })
  const named = isWord ? [withoutTaken(selectWordSection(writing, lookups, state))] : []
  const isName = isNoFilter(read)
  const go = [
    ...(isName ? [] : named),
    ...[
      { name: 'Saved views', rows: selectViewRows(state).filter(isNamed(text)) },
      { name: 'Theme', rows: selectThemeRows(state, text.trim()) },
      ...selectDocs(text, read, { index: state.docs ?? [], asof }),
      ...(isWord ? [selectNearSection(writing, lookups, asof)] : []),
    ].map(withoutTaken),
  ]
  const completions = selectCompletions(state)
  if (read.problems.length === 0) {
    const filter = state.isLooking ? [] : [toApply(state)]
    return [...first, ...filter, ...selectStars(first, state), ...completions, ...go]
  }
  const numbers = number === null ? [] : [toNumbers(state, number)]
  const isAlone = read.words.length === 1
  const rest = matches?.total === 0 ? [] : selectRest(state)
  const isNext = writing.typed === '' && writing.name === null
  const ending = isNext ? [...rest, ...(rest.length > 0 ? completions : [])] : null
  return [
    ...first,
    ...(isName ? named : []),
    ...(isAlone ? numbers : []),
    toFixes(state),
    ...(ending ?? (writing.typed === '' ? [...rest, ...completions] : [...completions, ...rest])),
    ...(isAlone ? [] : numbers),
    ...go,
  ]
}

function selectFirstSections(state: PaletteState): Section[] {
  const { text, read, asof, compared } = state
  const asked = readAsked(text, read)
  return [
    ...(compared === null ? [] : [selectCompareSection({ ...compared, asof })]),
    ...selectBestMatches(state),
    { name: 'Saved views', rows: selectViewRows(state).filter(isCalled(text)) },
    ...(asked === null ? [] : [toDo(state, asked)]),
  ].map((section) => ({ ...section, isMeant: true }))
}

function toNumbers({ lookups, asof, toHref, toPhrase }: PaletteState, number: number): Section {
  const query = { ...EVERY_RATING, user: only(number) }
  const filter: Row = {
    id: 'ratings by number',
    label: `Show ratings: ${toPhrase(query)}`,
    action: { do: 'open', href: toHref(query), remember: toFilterText(query) },
  }
  return selectNumberSection(number, lookups, { asof, filter })
}

const toDo = (state: PaletteState, asked: SearchInput): Section => {
  const { asof, here, stars, toHref, toPhrase } = state
  const pages = asked.words.flatMap((word) => selectPageRows(word, state))
  const toLeagueHref = (league: string) => withAsOf(`/${league}`, asof)
  const { mayManage } = state.reader
  const to = { toHref, toPhrase, toLeagueHref }
  return selectDoSection({ ...asked, ...to, here, stars, mayManage, pages: selectOnce(pages) })
}

function toLoneWord({ read: { words, bare } }: PaletteState): string | null {
  const [word, ...others] = words
  const [text, ...more] = bare
  if (!word || text === undefined || others.length + more.length > 0) return null
  const isPlain = word.items.length === 1 && !word.isNot && !word.items[0]?.isQuoted
  return isPlain ? toSymbolKey(text) : null
}

function selectBestMatches(state: PaletteState): Section[] {
  const { asof, lookups, read } = state
  const known = selectKnown(state)
  if (known)
    return [
      {
        name: 'Symbol',
        rows: [toSymbolRow(known, asof)],
      },
    ]
  const word = toLoneWord(state)
  const page = word === null ? null : selectNamedPage(word, state)
  if (page) return [{ name: 'Page', rows: [page] }]
  const [user] = read.query.user.only
  const isBare = read.words.every(({ name, isNot }) => name === null && !isNot)
  if (isBare && isInstant(read.query)) return [{ name: 'Time machine', rows: selectRewind(state) }]
  if (user === undefined || !isBare || toFilterText(read.query) !== `user:${user}`) return []
  return [{ name: 'User', rows: selectUserRow(user, lookups.users, asof) }]
}

const isInstant = (query: RatingsQuery): boolean =>
  query.asof !== null && toFilterText({ ...query, asof: null }) === ''

function selectRewind({ read, here, zone }: PaletteState): Row[] {
  const { asof } = read.query
  if (asof === null || here.toRewoundHref === null) return []
  return [
    {
      id: 'rewind',
      label: `Rewind this page to ${toAsofText(asof, zone)}`,
      action: { do: 'open', href: here.toRewoundHref(asof) },
    },
  ]
}

function selectStars(first: readonly Section[], state: PaletteState): Section[] {
  const [user] = state.read.query.user.only
  const [symbol] = state.read.query.symbol.only
  const named = first.filter(hasContent).map(({ name }) => name)
  const of = [
    ...(named.includes('Symbol') && symbol !== undefined ? [watchedSymbol(symbol)] : []),
    ...(named.includes('User') && user !== undefined ? [watchedUser(user)] : []),
  ]
  return [{ name: 'Watch', rows: of.map((one) => toStarRow(one, state.stars)) }]
}

function selectKnown(state: PaletteState) {
  const word = toLoneWord(state)
  return state.lookups.symbols.found.find(({ symbol }) => toSymbolKey(symbol) === word)
}

export function isUndecided(state: PaletteState): boolean {
  const { read, writing, lookups, isLooking } = state
  const first = selectFirstSections(state).find(hasContent)?.rows[0]
  if (first && !first.isOld) return false
  const isOfUsers = first !== undefined || toNumber(read, writing) !== null
  if (isLooking || (isOfUsers && lookups.users.isOld)) return true
  return state.docs === null && isNoFilter(read)
}

function toNumber({ words }: FilterText, { start }: Writing): number | null {
  const word = words.find((one) => one.start <= start && start <= one.end)
  return word ? toBareNumber(word) : null
}

/** -1 if Enter would surprise. */
export function selectFirst(sections: readonly Section[], state: PaletteState): number {
  const { read, writing } = state
  const first = sections[0]?.rows[0]
  if (first === undefined || first.isOld || sections[0]?.isGuess) return -1
  if (sections[0]?.isMeant || first.id === 'apply' || isNoFilter(read)) return 0
  if (sections[0]?.name === 'Go to' && read.words.length === 1) return 0
  const isWrong = read.problems.some(
    ({ start, end }) => start <= writing.end && writing.start <= end,
  )
  return isWrong && first.action.do === 'write' && writing.typed !== '' ? 0 : -1
}

const isNoFilter = ({ query, problems }: FilterText) =>
  problems.length > 0 && problems.every(({ isUnknown }) => isUnknown) && toFilterText(query) === ''

export const NO_MATCH = 'No rating matches'

function toApply({ read, matches, toHref, toPhrase, text }: PaletteState): Section {
  const phrase = toPhrase(read.query)
  if (matches?.total === 0) return { name: 'Filter', rows: [], note: `${NO_MATCH}: ${phrase}` }
  const row: Row = {
    id: 'apply',
    label: phrase === '' ? 'Show every rating' : `Show ratings: ${phrase}`,
    detail: matches?.text,
    action: { do: 'open', href: toHref(read.query), remember: text },
  }
  return { name: 'Filter', rows: [row] }
}

function selectRest({ read, toHref, toPhrase }: PaletteState): Section[] {
  const rest = toFilterText(read.query)
  if (rest === '') return []
  const row: Row = {
    id: 'rest',
    label: `Apply the rest: ${toPhrase(read.query) || rest}`,
    action: { do: 'open', href: toHref(read.query), remember: rest },
  }
  return [{ name: 'Filter', rows: [row] }]
}

function toFixes({ text, read, writing, lookups }: PaletteState): Section {
  const number = toNumber(read, writing)
  const isListed = ({ start, end }: FilterProblem) =>
    writing.name !== null &&
    (isCodeName(writing.name) || writing.name === 'quality') &&
    start <= writing.start &&
    writing.end <= end
  const problems = read.problems.filter((problem) => !isListed(problem))
  const rows = problems.flatMap((problem) =>
    problem.fixes
      .filter((fix) => number === null || mayBeNumber(fix, number, lookups))
      .map(
        (fix): Row => ({
          id: `fix ${problem.start} ${fix}`,
          label: toTypedText(fix),
          isText: true,
          action: { do: 'write', ...replaceAt(text, problem, fix) },
        }),
      ),
  )
  return { name: number === null ? 'Did you mean' : 'Filter by', rows: rows.slice(0, MOST_FIXES) }
}

function mayBeNumber(fix: string, number: number, lookups: Lookups): boolean {
  const { symbols, users, ratings } = lookups
  if (fix.startsWith('id:')) return mayHold(ratings, number)
  if (fix.startsWith('symbol:')) return symbols.found.some(({ symbol }) => symbol === `${number}`)
  return mayHold({ ...users, found: users.found.map(({ user }) => user) }, number)
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

const toRecent =
  ({ toHref, asof, read }: PaletteState) =>
  (search: Search): Row => {
    if (typeof search !== 'string') return toPlaceRow(search, asof, 'recent ')
    const { query, problems } = parseFilterText(search, read.context)
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

const selectViewRows = ({ views, asof }: PaletteState): Row[] =>
  views.map(({ id, name, address }) => ({
    id: `view ${id}`,
    label: name,
    kind: 'View',
    action: { do: 'open', href: toViewHref(address, asof) },
  }))

const isCalled =
  (text: string) =>
  ({ label }: Row): boolean =>
    label.toLowerCase() === text.trim().toLowerCase()

const isNamed =
  (text: string) =>
  ({ label }: Row): boolean =>
    label.toLowerCase().includes(text.trim().toLowerCase())

const THEME_LABELS: Readonly<Record<Theme, string>> = {
  system: 'System theme',
  light: 'Light theme',
  dark: 'Dark theme',
}

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

export function toShownText(query: RatingsQuery): string {
  const text = toFilterText({ ...query, page: EVERY_RATING.page, asof: null })
  return text === '' ? '' : `${text} `
}
