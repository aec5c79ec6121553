import { fromClock, toClock, toZonedDay } from '#components/format/instants.ts'
import { AGO, toDayAgo, toEndOfDay } from '#components/time/time-travel.ts'
import {
  parseDay,
  parsePeriod,
  type Span,
  toAsofParameter,
  toInstantText,
} from '#lib/contract/instant-text.ts'
import { readExclusion } from './exclusions.ts'
import {
  isBeforeTaking,
  isJoining,
  isSymbol,
  isTaking,
  readNumbers,
  toPlainWord,
} from './plain-words.ts'
import type { Word } from './tokenizer.ts'
import { type Value, valuesOf } from './vocabulary.ts'

/** `words`: how many words the phrase spans. `taken`: excluded words. */
export type Phrase = {
  words: number
  parameters: Parameters
  taken?: Word[]
  problem?: string
}

type PhraseWords = readonly string[]

const toLabels = (values: readonly Value[]) =>
  Object.fromEntries(values.map(({ label, value }) => [label.toLowerCase(), value]))

const RATINGS: Readonly<Record<string, string>> = {
  ...toLabels(valuesOf('rating')),
  buy: '4,5',
  bullish: '4,5',
  neutral: '3',
  sell: '1,2',
  bearish: '1,2',
}

const ACTIONS: Readonly<Record<string, string>> = {
  ...toLabels(valuesOf('action')),
  initiation: '1',
  upgrade: '2',
  downgrade: '3',
  reiteration: '4',
}

const STATES = new Map(
  Object.entries({ active: 'active', ended: 'expired', expired: 'expired' } as const),
)

function meantBy(values: Readonly<Record<string, string>>, text: string): string | undefined {
  const word = [text, text.replace(/s$/, '')].find((one) => Object.hasOwn(values, one))
  return word === undefined ? undefined : values[word]
}

const MONTHS =
  'january february march april may june july august september october november december'
const DAY = 86_400

/** `now`: seconds since 1970, or null if unknown. */
export type Clock = { now: number | null; zone: string }

type Parameters = [name: string, value: string][]

/** `to` is exclusive. */
const toPosted = ({ from, to }: Span, zone: string): Parameters => [
  ['from', toInstantText(fromClock(from, zone))],
  ['to', toInstantText(fromClock(to, zone))],
]

const monthAt = (year: number, month: number) => Date.UTC(year, month, 1) / 1000

const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30 }

/** A week is the seven days up to today. */
function toSpan(text: string, now: number): Span | null {
  const date = new Date(now * 1000)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  const today = Math.floor(now / DAY) * DAY
  const back = (days: number): Span => ({ from: today - days * DAY, to: today + DAY })
  const [, count, unit = 'day'] = /^(?:last|past) (\d{1,4}) (day|week|month)s$/.exec(text) ?? []
  if (count !== undefined) return back(Number(count) * (DAYS[unit] ?? 1))
  switch (text) {
    case 'today':
      return { from: today, to: today + DAY }
    case 'yesterday':
      return { from: today - DAY, to: today }
    case 'this week':
    case 'last week':
    case 'past week':
      return back(7)
    case 'this month':
      return { from: monthAt(year, month), to: monthAt(year, month + 1) }
    case 'last month':
      return { from: monthAt(year, month - 1), to: monthAt(year, month) }
    case 'this year':
      return { from: monthAt(year, 0), to: monthAt(year + 1, 0) }
    case 'last year':
      return { from: monthAt(year - 1, 0), to: monthAt(year, 0) }
    default:
      return null
  }
}

const YEAR = /^(19[7-9]|20\d)\d$/
const PERIOD = /^(19[7-9]|20\d)\d(-\d\d(-\d\d)?)?$/
const PERCENT = /^[+−-]?\d+(\.\d+)?%?$/

function toMonth([name = '', year = '']: PhraseWords): string | null {
  const month = MONTHS.split(' ').indexOf(name)
  return month >= 0 && YEAR.test(year) ? `${year}-${String(month + 1).padStart(2, '0')}` : null
}

/** `isTaken`: negated, which only lists support. */
type Reader = (said: PhraseWords, clock: Clock, isTaken: boolean) => Parameters | null

/** Longest first. */
const READERS: readonly { words: number; read: Reader }[] = [
  { words: 3, read: readSpan },
  { words: 3, read: readInstant },
  { words: 2, read: readSpan },
  { words: 2, read: readInstant },
  { words: 2, read: (said) => listOf('rating', RATINGS, said) },
  { words: 2, read: (said, { zone }, isTaken) => readPeriod(toMonth(said), zone, isTaken) },
  { words: 2, read: readPair },
  { words: 1, read: readSpan },
  { words: 1, read: (said) => listOf('rating', RATINGS, said) },
  { words: 1, read: (said) => listOf('action', ACTIONS, said) },
  {
    words: 1,
    read: ([word = '']) => {
      const state = STATES.get(word)
      return state === undefined ? null : [['state', state]]
    },
  },
  { words: 1, read: ([word = ''], { zone }, isTaken) => readPeriod(word, zone, isTaken) },
]

function readSpan(said: PhraseWords, { now, zone }: Clock): Parameters | null {
  const span = now === null ? null : toSpan(said.join(' '), toClock(now, zone))
  return span === null ? null : toPosted(span, zone)
}

function readPeriod(text: string | null, zone: string, isTaken: boolean): Parameters | null {
  if (text === null || !PERIOD.test(text)) return null
  const span = isTaken ? null : parsePeriod(text)
  return span === null ? [['created', text]] : toPosted(span, zone)
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const AGO_TEXT = /^(an?|one|\d{1,4}) (day|week|month|quarter|year)s? ago$/

function readInstant(said: PhraseWords, { now, zone }: Clock): Parameters | null {
  const text = said.join(' ')
  const [, written] = /^on (\d{4}-\d\d-\d\d)$/.exec(text) ?? []
  const day = written ?? (now === null ? null : toDayBefore(text, toZonedDay(now, zone)))
  if (day === null || parseDay(day) === null) return null
  return [['asof', toAsofParameter(toEndOfDay(day, zone))]]
}

function toDayBefore(text: string, today: string): string | null {
  const [, count, unit] = AGO_TEXT.exec(text) ?? []
  const ago = (['day', ...AGO] as const).find((one) => one === unit)
  if (ago !== undefined) return toDayAgo(today, ago, Number(count) || 1)
  const weekday = WEEKDAYS.indexOf(/^last (\w+day)$/.exec(text)?.[1] ?? '')
  if (weekday < 0) return null
  const back = (new Date(today).getUTCDay() - weekday + 7) % 7
  return toDayAgo(today, 'day', back === 0 ? 7 : back)
}

function listOf(name: string, values: Readonly<Record<string, string>>, said: PhraseWords) {
  const value = meantBy(values, said.join(' '))
  return value === undefined ? null : ([[name, value]] as [string, string][])
}

function readPair([word = '', value = '']: PhraseWords, { zone }: Clock): Parameters | null {
  switch (word) {
    case 'since':
    case 'from':
      return PERIOD.test(value) ? [['from', toBeginning(value, zone)]] : null
    case 'before':
    case 'until':
      return PERIOD.test(value) ? [['to', toBeginning(value, zone)]] : null
    case 'above':
    case 'over':
      return PERCENT.test(value) ? [['prediction_above', toDecimal(value)]] : null
    case 'below':
    case 'under':
      return PERCENT.test(value) ? [['prediction_below', toDecimal(value)]] : null
    default:
      return null
  }
}

function toBeginning(text: string, zone: string): string {
  const span = parsePeriod(text)
  return span === null ? text : toInstantText(fromClock(span.from, zone))
}

const toDecimal = (text: string) => text.replace(/^−/, '-').replace(/[+%]/g, '')

export function readPhrase(words: readonly Word[], at: number, clock: Clock): Phrase | null {
  const isAlone = words.length === 1
  if (isTaking(words, at) && !isAlone) {
    return readExclusion(words, at, (from) => readSaid(words, from, clock, true))
  }
  const phrase = readSaid(words, at, clock, false)
  if (phrase !== null) return phrase
  const isLeftOut = isJoining(words[at]) || isBeforeTaking(words, at)
  return isLeftOut && !isAlone ? { words: 1, parameters: [] } : null
}

function readSaid(
  words: readonly Word[],
  at: number,
  clock: Clock,
  isTaken: boolean,
): Phrase | null {
  const users = readUsers(words, at)
  if (users !== null) return users
  const said = words.slice(at, at + 3).map(toPlainWord)
  for (const reader of READERS) {
    const taken = said.slice(0, reader.words)
    if (taken.length < reader.words || taken.includes(null)) continue
    if (reader.words === 1 && isSymbol(words[at])) continue
    const parameters = reader.read(taken as PhraseWords, clock, isTaken)
    if (parameters !== null) return { words: reader.words, parameters }
  }
  return null
}

function readUsers(words: readonly Word[], at: number): Phrase | null {
  const isUser = (word: Word | undefined) => /^users?$/.test(toPlainWord(word) ?? '')
  const before = toPlainWord(words[at])
  const isBy = before === 'by' || (before === 'from' && isUser(words[at + 1]))
  const from = at + (isBy ? 1 : 0)
  const first = from + (isUser(words[from]) ? 1 : 0)
  const numbers = first === at ? null : readNumbers(words, first)
  if (numbers === null) return null
  return { words: first - at + numbers.words, parameters: [['user', numbers.values.join(',')]] }
}
