import type { Word } from './tokenizer.ts'

/** A bare word as it was said; null where it has a name, a bound, quotes, a minus or a comma within. */
export function toSaid(word: Word | undefined): string | null {
  if (!word || word.name !== null || word.isNot) return null
  const [item, ...others] = withoutLastComma(word).items
  if (!item || others.length > 0) return null
  if (item.isQuoted || item.operator !== '' || item.fault !== null) return null
  return `${item.isNot ? '-' : ''}${item.text}`.toLowerCase()
}

const isEmpty = (item: Word['items'][number] | undefined) =>
  item !== undefined && item.text === '' && !item.isQuoted && item.operator === '' && !item.isNot

/** People write "60, 64" with a space: the comma behind a bare word belongs to the next. */
const hasLastComma = ({ name, items }: Word): boolean =>
  name === null && items.length > 1 && isEmpty(items.at(-1))

export const withoutLastComma = (word: Word): Word =>
  hasLastComma(word) ? { ...word, items: word.items.slice(0, -1) } : word

/** A single word in capitals is a symbol: HOLD and ON are listed somewhere. */
export const isSymbol = (word: Word | undefined): boolean =>
  /^[A-Z.]+$/.test(word?.items[0]?.text ?? '')

const isAmong = (words: ReadonlySet<string>, word: Word | undefined): boolean =>
  words.has(toSaid(word) ?? '')

const LISTING = new Set(['and', 'or', 'nor', '&'])

/** "60 and 64", "60, 64": from which word on the list goes on behind the word before `at`; null where it ends. */
export function toListed(words: readonly Word[], at: number): number | null {
  const before = words[at - 1]
  if (isAmong(LISTING, words[at]) && !isSymbol(words[at])) return at + 1
  return before && hasLastComma(before) ? at : null
}

/** Words that join others and say nothing: they are left out where another word stands beside them. */
const JOINING = new Set([
  ...LISTING,
  ...['but', 'in', 'on', 'of', 'for', 'the', 'with', 'ratings', 'rating'],
  ...['compare', 'vs', 'vs.', 'versus'],
])

export const isJoining = (word: Word | undefined): boolean =>
  isAmong(JOINING, word) && !isSymbol(word)

const NOT = new Set(['not', 'without', 'except', 'exclude', 'excludes', 'excluding', 'no'])

/** What stands before a "not" and means all that is left: "everyone except user 60". */
const ALL = new Set([
  ...['all', 'any', 'anyone', 'anybody', 'every', 'everyone', 'everybody', 'everything'],
  ...['user', 'users', 'symbol', 'symbols', 'rating', 'ratings'],
])

/** Does the word take out what stands behind it? "but" does where it stands behind all that is left. */
export const isTaking = (words: readonly Word[], at: number): boolean =>
  isAmong(NOT, words[at]) || (toSaid(words[at]) === 'but' && isAmong(ALL, words[at - 1]))

/** "all ratings except", "everyone but": these say nothing that the rest does not. */
export function isBeforeTaking(words: readonly Word[], at: number): boolean {
  let next = at
  while (isAmong(ALL, words[next])) next += 1
  return next > at && isTaking(words, next)
}

const NUMBER = /^#?\d{1,15}$/

/** The numbers of a bare word, `60,#64`; null where it holds anything else. */
function toNumbers(word: Word | undefined): string[] | null {
  if (!word || word.name !== null || word.isNot) return null
  const { items } = withoutLastComma(word)
  const isNumber = items.every(
    ({ text, isQuoted, isNot, operator }) =>
      !isQuoted && !isNot && operator === '' && NUMBER.test(text),
  )
  return isNumber ? items.map(({ text }) => text.replace('#', '')) : null
}

/** The numbers from one of the words on: "60", "60, 64 and #12". Null where there is none. */
export function readNumbers(
  words: readonly Word[],
  at: number,
): { words: number; values: string[] } | null {
  const values: string[] = []
  let end = at
  for (let next: number | null = at; next !== null; next = toListed(words, end)) {
    const numbers = toNumbers(words[next])
    if (numbers === null) break
    values.push(...numbers)
    end = next + 1
  }
  return values.length === 0 ? null : { words: end - at, values }
}
