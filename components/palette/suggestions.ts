import { UTC } from '#components/format/instants.ts'
import { isComposing } from '#components/ui/keyboard-shortcuts.ts'
import type { Theme } from '#components/ui/theme.ts'
import type { Watched } from '#components/watch/watched.ts'
import { RATING_SORTS } from '#lib/contract/ratings-query.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { quoteText } from './filter-text/to-filter-text.ts'
import { type Edit, replaceAt, type Writing } from './filter-text/tokenizer.ts'
import {
  findCodes,
  isCodeName,
  isTimeName,
  kindOf,
  selectBounds,
  valuesOf,
  WORDS,
} from './filter-text/vocabulary.ts'
import type { PageAction } from './page-actions.ts'
import type { Search } from './recent-searches.ts'

type RowAction =
  | { do: 'open'; href: string; remember?: Search }
  | { do: 'page'; action: PageAction; href?: string }
  | { do: 'copy' }
  | ({ do: 'write' } & Edit)
  | { do: 'star'; of: Watched }
  | { do: 'theme'; theme: Theme }
  | { do: 'forget' }

/** `isOld`: answers an earlier text, so it cannot be chosen. */
export type Row = {
  id: string
  label: string
  action: RowAction
  kind?: string
  detail?: string
  isText?: boolean
  code?: number
  isOld?: boolean
}

export type Section = {
  name: string
  rows: Row[]
  note?: string
  isOld?: boolean
  /** Enter takes the first row. */
  isMeant?: boolean
  /** Enter takes no row. */
  isGuess?: boolean
}

export const hasContent = ({ rows, note }: Section): boolean =>
  rows.length > 0 || note !== undefined

export type MatchResult<T> = { found: readonly T[]; isOld: boolean; note?: string }

export type FoundSymbol = { symbol: string; name?: string | null; detail: string }

export type Lookups = {
  symbols: MatchResult<FoundSymbol>
  near: MatchResult<FoundSymbol>
  users: MatchResult<{ user: number; detail: string }>
  ratings: MatchResult<number>
}

export const NOTHING_FOUND: MatchResult<never> = { found: [], isOld: false }

const MOST_NAMES = 6

type Completing = {
  text: string
  writing: Writing
  lookups: Lookups
  now: number | null
  zone: string
}

export function selectCompletions(completing: Completing): Section[] {
  const { text, writing } = completing
  if (writing.name !== null) return [selectValues(writing.name, completing)]
  const names = { name: 'Filter by', rows: selectNames(text, writing) }
  return writing.typed === '' ? [names] : [names, selectSymbolWords(completing)]
}

function selectNames(text: string, writing: Writing): Row[] {
  if (!writing.isAlone) return []
  const typed = writing.typed.toLowerCase()
  const isLeft = (name: string) =>
    typed === '' ? !text.toLowerCase().includes(`${name}:`) : name.startsWith(typed)
  return Object.keys(WORDS)
    .filter(isLeft)
    .slice(0, MOST_NAMES)
    .map((name) => toRow({ text, writing, piece: `${name}:`, detail: WORDS[name] }))
}

function selectSymbolWords({ text, writing, lookups: { symbols } }: Completing): Section {
  const before = writing.isAlone ? 'symbol:' : ''
  const rows = symbols.found.map((found) =>
    toRow({
      text,
      writing,
      piece: `${before}${quoteText(toVisibleText(found.symbol))}`,
      detail: found.detail,
      isOld: isOutdated(symbols.isOld, toFoundText(found), writing.typed),
    }),
  )
  return { name: 'Symbols', rows, isOld: symbols.isOld, note: symbols.note }
}

function selectValues(name: string, completing: Completing): Section {
  const { text, writing, lookups } = completing
  const section = (rows: Row[], more: Partial<Section> = {}): Section => ({
    name: `Values of ${name}`,
    rows,
    ...more,
  })
  const row = (piece: string, more: Partial<Row> = {}) => toRow({ text, writing, piece, ...more })
  if (name === 'symbol') return { ...selectSymbolWords(asValue(completing)), name: 'Symbols' }
  if (name === 'user') {
    const { found, isOld, note } = lookups.users
    const rows = found.map(({ user, detail }) =>
      row(quoteText(user), {
        detail,
        isOld: isOutdated(isOld, String(user), writing.typed.replace('#', '')),
      }),
    )
    return { name: 'Users', rows, isOld, note }
  }
  if (isCodeName(name)) {
    const codes = writing.typed === '' ? valuesOf(name) : findCodes(name, writing.typed)
    const glyph = (value: string) => (name === 'rating' ? { code: Number(value) } : {})
    return section(
      codes.map(({ value, label }) =>
        row(value, { label, detail: value, isText: false, ...glyph(value) }),
      ),
    )
  }
  if (writing.isBound) return section([])
  const hints = toHints(name, completing).filter((hint) => isMeant(hint, writing.typed))
  return section(hints.map(({ value, label }) => row(value, { detail: label })))
}

export const isOutdated = (isOld: boolean, found: string, typed: string): boolean =>
  isOld && !found.toLowerCase().includes(typed.trim().toLowerCase())

export const toFoundText = ({ symbol, name }: FoundSymbol): string => `${symbol} ${name ?? ''}`

const asValue = (completing: Completing): Completing => ({
  ...completing,
  writing: { ...completing.writing, isAlone: false },
})

function isMeant({ value, label }: Hint, typed: string): boolean {
  const begun = typed.toLowerCase()
  return [value, value.replace(/^-/, ''), ...label.toLowerCase().split(' ')].some((word) =>
    word.startsWith(begun),
  )
}

function toHints(name: string, { now, zone }: Completing): readonly Hint[] {
  const kind = kindOf(name)
  if (kind === 'choice') return valuesOf(name)
  if (kind === 'decimal' && selectBounds(name).length > 0) return PREDICTIONS
  if (name === 'watched') return WATCHED
  if (name === 'per_page') return ['25', '50', '100', '250', '500'].map(toRowsHint)
  if (name === 'sort') return RATING_SORTS.filter(isOwnOrder).flatMap(toSortHints)
  if (now === null) return []
  if (isTimeName(name)) return toDayHints(now).map(inZone(zone))
  if (kind === 'period' || kind === 'expiry')
    return toPeriodHints(now, kind === 'expiry').map(inZone(zone))
  return []
}

const inZone =
  (zone: string) =>
  (hint: Hint): Hint =>
    zone === UTC ? hint : { ...hint, label: `${hint.label}, in UTC` }

const WATCHED: Hint[] = [
  { value: 'symbols', label: 'every symbol that you watch' },
  { value: 'users', label: 'every user that you watch' },
]

const PREDICTIONS: Hint[] = [
  { value: '>10', label: 'above +10%' },
  { value: '>=0', label: '0% or more' },
  { value: '5..12.5', label: 'from +5% to +12.5%' },
  { value: '<0', label: 'below 0%' },
]

const toRowsHint = (value: string): Hint => ({ value, label: `${value} rows on a page` })

/** Labels and dates sort like their codes and instants. */
const isOwnOrder = (column: string) => !/_(label|date)$/.test(column)

const toSortHints = (column: string): Hint[] => [
  { value: `-${column}`, label: 'the greatest first' },
  { value: column, label: 'the least first' },
]

type RowParts = Partial<Row> & { text: string; writing: Writing; piece: string }

const toRow = ({ text, writing, piece, ...more }: RowParts): Row => ({
  id: `complete ${piece}`,
  label: piece,
  isText: true,
  ...more,
  action: { do: 'write', ...replaceAt(text, writing, piece) },
})

type Hint = { value: string; label: string }

const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)

function toDayHints(now: number): Hint[] {
  const [year, month, day] = toParts(now)
  const at = (label: string, ms: number): Hint => ({ label, value: toDay(ms) })
  return [
    at('today', Date.UTC(year, month, day)),
    at('yesterday', Date.UTC(year, month, day - 1)),
    at('7 days ago', Date.UTC(year, month, day - 7)),
    at('30 days ago', Date.UTC(year, month, day - 30)),
    at('first day of this month', Date.UTC(year, month, 1)),
    at('first day of this year', Date.UTC(year, 0, 1)),
    at('first day of last year', Date.UTC(year - 1, 0, 1)),
  ]
}

function toPeriodHints(now: number, isAhead: boolean): Hint[] {
  const [year, month, day] = toParts(now)
  const step = isAhead ? 1 : -1
  const word = isAhead ? 'next' : 'last'
  const other = isAhead ? 'tomorrow' : 'yesterday'
  const at = (label: string, ms: number, length: number): Hint => ({
    label,
    value: toDay(ms).slice(0, length),
  })
  return [
    ...(isAhead ? [{ label: 'has no expiry', value: 'never' }] : []),
    at('today', Date.UTC(year, month, day), 10),
    at(other, Date.UTC(year, month, day + step), 10),
    at('this month', Date.UTC(year, month, 1), 7),
    at(`${word} month`, Date.UTC(year, month + step, 1), 7),
    at('this year', Date.UTC(year, 0, 1), 4),
    at(`${word} year`, Date.UTC(year + step, 0, 1), 4),
  ]
}

function toParts(now: number): [year: number, month: number, day: number] {
  const date = new Date(now * 1000)
  return [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
}

const LEAP = 6

type Keys = Pick<
  KeyboardEvent,
  'key' | 'keyCode' | 'isComposing' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'
>

type PaletteKey = { mark: string } | { choose: Row | null; inNewTab: boolean }

type PaletteRows = {
  rows: readonly Row[]
  marked: Row | undefined
  isWord: boolean
}

/** Null for keys of the field, the dialog or an input method. */
export function toPaletteKey(
  pressed: Keys,
  { rows, marked, isWord }: PaletteRows,
): PaletteKey | null {
  if (isComposing(pressed) || pressed.altKey) return null
  const at = marked ? rows.indexOf(marked) : -1
  const mark = (index: number): PaletteKey | null => {
    const row = rows[index]
    return row ? { mark: row.id } : null
  }
  switch (pressed.key) {
    case 'ArrowDown':
      return mark(at + 1 < rows.length ? at + 1 : 0)
    case 'ArrowUp':
      return mark(at > 0 ? at - 1 : rows.length - 1)
    case 'PageDown':
      return mark(Math.min(at + LEAP, rows.length - 1))
    case 'PageUp':
      return mark(Math.max(at - LEAP, 0))
    case 'Enter':
      return { choose: marked ?? null, inNewTab: pressed.ctrlKey || pressed.metaKey }
    case 'Tab': {
      const row = pressed.shiftKey || !isWord ? undefined : toCompletion(rows, marked)
      return row ? { choose: row, inNewTab: false } : null
    }
    default:
      return null
  }
}

/** Outdated rows keep Tab from leaving the field. */
function toCompletion(rows: readonly Row[], marked: Row | undefined): Row | undefined {
  if (marked?.action.do === 'write') return marked
  const completions = rows.filter(({ action }) => action.do === 'write')
  return completions.find(({ isOld }) => !isOld) ?? completions[0]
}
