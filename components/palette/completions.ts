import { CODES, findCodes, isCodeName } from '#components/filter-text/code-words.ts'
import { quoteText } from '#components/filter-text/quote-text.ts'
import { WORDS, type WordName } from '#components/filter-text/vocabulary.ts'
import { replaceAt, type Writing } from '#components/filter-text/word-at.ts'
import { type Outlook, ZONE_DEFAULT } from '#lib/contract/outlook.ts'
import { QUALITIES, type Quality, qualityLabel } from '#lib/contract/quality.ts'
import { RATING_SORTS, RATING_STATES } from '#lib/contract/ratings-query.ts'
import { type Hint, toDayHints, toPeriodHints } from './date-hints.ts'
import type { Lookups } from './lookups.ts'
import type { Row, Section } from './row.ts'

const MOST_NAMES = 6

type Completing = {
  text: string
  writing: Writing
  lookups: Lookups
  now: number | null
  outlook: Outlook
}

/** Ways to go on with the word at the caret: names, then values of the name. */
export function selectCompletions(completing: Completing): Section[] {
  const { text, writing } = completing
  if (writing.name !== null) return [selectValues(writing.name, completing)]
  const names = selectNames(text, writing)
  return [{ name: 'Filter by', rows: names }, selectSymbolWords(completing)]
}

/** The names that begin with what is typed; with nothing typed, the first few of those that are not in the text. */
function selectNames(text: string, writing: Writing): Row[] {
  if (!writing.isAlone) return []
  const typed = writing.typed.toLowerCase()
  const names = Object.keys(WORDS) as WordName[]
  const isLeft = (name: WordName) =>
    typed === '' ? !text.toLowerCase().includes(`${name}:`) : name.startsWith(typed)
  return names
    .filter(isLeft)
    .slice(0, MOST_NAMES)
    .map((name) => toRow({ text, writing, piece: `${name}:`, detail: WORDS[name] }))
}

/** A bare word may be the beginning of a symbol. */
function selectSymbolWords({ text, writing, lookups: { symbols } }: Completing): Section {
  const before = writing.isAlone ? 'symbol:' : ''
  const rows = symbols.found.map(({ symbol, detail }) =>
    toRow({
      text,
      writing,
      piece: `${before}${quoteText(symbol)}`,
      detail,
      isOld: isOutdated(symbols.isOld, symbol, writing.typed),
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
    const codes = writing.typed === '' ? CODES[name] : findCodes(name, writing.typed)
    const glyph = (code: number) => (name === 'rating' ? { code } : {})
    return section(
      codes.map(({ code, label }) =>
        row(String(code), { label, detail: String(code), isText: false, ...glyph(code) }),
      ),
    )
  }
  if (writing.isBound) return section([])
  const hints = toHints(name, completing).filter((hint) => isMeant(hint, writing.typed))
  return section(hints.map(({ value, label }) => row(value, { detail: label })))
}

/** What was found for an earlier word may still be what is typed now. */
export const isOutdated = (isOld: boolean, found: string, typed: string): boolean =>
  isOld && !found.toLowerCase().includes(typed.trim().toLowerCase())

const asValue = (completing: Completing): Completing => ({
  ...completing,
  writing: { ...completing.writing, isAlone: false },
})

/** What is typed begins the value, or a word of what it is called. */
function isMeant({ value, label }: Hint, typed: string): boolean {
  const begun = typed.toLowerCase()
  return [value, value.replace(/^-/, ''), ...label.toLowerCase().split(' ')].some((word) =>
    word.startsWith(begun),
  )
}

function toHints(name: string, { now, outlook: { tz } }: Completing): Hint[] {
  if (name === 'state') return RATING_STATES.map((value) => ({ value, label: `${value} ratings` }))
  if (name === 'prediction') return PREDICTIONS
  if (name === 'quality') return QUALITIES.map(toQualityHint)
  if (name === 'per_page') return ['25', '50', '100', '250', '500'].map(toRowsHint)
  if (name === 'sort') return RATING_SORTS.filter(isOwnOrder).flatMap(toSortHints)
  if (now === null) return []
  if (name === 'from' || name === 'to' || name === 'asof') return toDayHints(now).map(inZone(tz))
  if (name === 'created' || name === 'expires')
    return toPeriodHints(now, name === 'expires').map(inZone(tz))
  return []
}

/** Days are of UTC, which is said where times are written in another zone. */
const inZone =
  (zone: string) =>
  (hint: Hint): Hint =>
    zone === ZONE_DEFAULT ? hint : { ...hint, label: `${hint.label}, in UTC` }

const PREDICTIONS: Hint[] = [
  { value: '>10', label: 'above +10%' },
  { value: '>=0', label: '0% or more' },
  { value: '5..12.5', label: 'from +5% to +12.5%' },
  { value: '<0', label: 'below 0%' },
]

const toQualityHint = (value: Quality): Hint => ({ value, label: qualityLabel(value) })

const toRowsHint = (value: string): Hint => ({ value, label: `${value} rows on a page` })

/** Labels and dates are in the order of their codes and instants. */
const isOwnOrder = (column: string) => !/_(label|date)$/.test(column)

const toSortHints = (column: string): Hint[] => [
  { value: `-${column}`, label: 'the greatest first' },
  { value: column, label: 'the least first' },
]

type RowGiven = Partial<Row> & { text: string; writing: Writing; piece: string }

const toRow = ({ text, writing, piece, ...more }: RowGiven): Row => ({
  id: `complete ${piece}`,
  label: piece,
  isText: true,
  ...more,
  action: { do: 'write', ...replaceAt(text, writing, piece) },
})
