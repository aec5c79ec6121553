import { isCodeName } from '#components/filter-text/code-words.ts'
import {
  type FilterProblem,
  type FilterText,
  parseFilterText,
} from '#components/filter-text/parse-filter-text.ts'
import { toBareNumber } from '#components/filter-text/read-parameters.ts'
import { toFilterText } from '#components/filter-text/to-filter-text.ts'
import { replaceAt, type Writing } from '#components/filter-text/word-at.ts'
import { toViewHref } from '#components/views/view-address.ts'
import type { Outlook } from '#lib/contract/outlook.ts'
import { EVERY_RATING, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import { selectCompletions } from './completions.ts'
import { selectNumberSection, selectWordSection } from './go-rows.ts'
import type { Lookups } from './lookups.ts'
import { selectPageRows } from './pages.ts'
import { hasContent, type Row, type Section } from './row.ts'

const MOST_FIXES = 4
const MOST_EARLIER = 5

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
  earlier: { texts: readonly string[]; note?: string }
  views: readonly { id: string; name: string; address: string }[]
  matches: string | undefined
  now: number | null
  outlook: Outlook
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
  const go = isBare && number === null ? [selectWordSection(writing, lookups, state.outlook)] : []
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
export function selectFirst(sections: readonly Section[], { read, writing }: PaletteState): number {
  const first = sections[0]?.rows[0]
  if (first === undefined || first.isOld) return -1
  if (first.id === 'apply') return 0
  if (sections[0]?.name === 'Go to' && read.words.length === 1) return 0
  const isWrong = read.problems.some(
    ({ start, end }) => start <= writing.end && writing.start <= end,
  )
  return isWrong && first.action.do === 'write' && writing.typed !== '' ? 0 : -1
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
  const { earlier, views } = state
  return [
    {
      name: 'Earlier filters',
      rows: [...earlier.texts.slice(0, MOST_EARLIER).map(toEarlier(state)), ...toForget(earlier)],
      note: earlier.note,
    },
    {
      name: 'Saved views',
      rows: views.map(({ id, name, address }) => ({
        id: `view ${id}`,
        label: name,
        kind: 'View',
        action: { do: 'open', href: toViewHref(address, state.outlook.asof) },
      })),
    },
    { name: 'Go to', rows: selectPageRows('', state.outlook) },
    ...selectCompletions(state),
  ]
}

/** A text that is wrong by now goes into the field, where it can be mended. */
const toEarlier =
  ({ toHref }: PaletteState) =>
  (text: string): Row => {
    const { query, problems } = parseFilterText(text)
    return {
      id: `earlier ${text}`,
      label: text,
      isText: true,
      action:
        problems.length > 0
          ? { do: 'write', text, caret: text.length }
          : { do: 'open', href: toHref(query), remember: text },
    }
  }

const toForget = ({ texts }: PaletteState['earlier']): Row[] =>
  texts.length === 0
    ? []
    : [{ id: 'forget', label: 'Forget earlier filters', action: { do: 'forget' } }]

/**
 * The text that the palette begins with: what the page shows. Its page is left out, since the rows become others, and
 * the instant, which stays unless the text names one.
 */
export function toStartText(query: RatingsQuery): string {
  const text = toFilterText({ ...query, page: EVERY_RATING.page, asof: null })
  return text === '' ? '' : `${text} `
}
