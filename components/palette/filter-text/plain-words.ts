import type { Word } from './tokenizer.ts'

/** Null unless the word is plain. */
export function toPlainWord(word: Word | undefined): string | null {
  if (!word || word.name !== null || word.isNot) return null
  const [item, ...others] = withoutLastComma(word).items
  if (!item || others.length > 0) return null
  if (item.isQuoted || item.operator !== '' || item.fault !== null) return null
  return `${item.isNot ? '-' : ''}${item.text}`.toLowerCase()
}

const isEmpty = (item: Word['items'][number] | undefined) =>
  item !== undefined && item.text === '' && !item.isQuoted && item.operator === '' && !item.isNot

const hasLastComma = ({ name, items }: Word): boolean =>
  name === null && items.length > 1 && isEmpty(items.at(-1))

export const withoutLastComma = (word: Word): Word =>
  hasLastComma(word) ? { ...word, items: word.items.slice(0, -1) } : word

/** HOLD and ON are real tickers. */
export const isSymbol = (word: Word | undefined): boolean =>
  /^[A-Z.]+$/.test(word?.items[0]?.text ?? '')

const isAmong = (words: ReadonlySet<string>, word: Word | undefined): boolean =>
  words.has(toPlainWord(word) ?? '')

const LISTING = new Set(['and', 'or', 'nor', '&'])

export function toListed(words: readonly Word[], at: number): number | null {
  const before = words[at - 1]
  if (isAmong(LISTING, words[at]) && !isSymbol(words[at])) return at + 1
  return before && hasLastComma(before) ? at : null
}

const JOINING = new Set([
  ...LISTING,
  ...['but', 'in', 'on', 'of', 'for', 'the', 'with', 'ratings', 'rating'],
  ...['compare', 'vs', 'vs.', 'versus'],
])

export const isJoining = (word: Word | undefined): boolean =>
  isAmong(JOINING, word) && !isSymbol(word)

const NOT = new Set(['not', 'without', 'except', 'exclude', 'excludes', 'excluding', 'no'])

const ALL = new Set([
  ...['all', 'any', 'anyone', 'anybody', 'every', 'everyone', 'everybody', 'everything'],
  ...['user', 'users', 'symbol', 'symbols', 'rating', 'ratings'],
])

export const isTaking = (words: readonly Word[], at: number): boolean =>
  isAmong(NOT, words[at]) || (toPlainWord(words[at]) === 'but' && isAmong(ALL, words[at - 1]))

export function isBeforeTaking(words: readonly Word[], at: number): boolean {
  let next = at
  while (isAmong(ALL, words[next])) next += 1
  return next > at && isTaking(words, next)
}

export const NUMBER = /^#?\d{1,16}$/

function toNumbers(word: Word | undefined): string[] | null {
  if (!word || word.name !== null || word.isNot) return null
  const { items } = withoutLastComma(word)
  const isNumber = items.every(
    ({ text, isQuoted, isNot, operator }) =>
      !isQuoted && !isNot && operator === '' && NUMBER.test(text),
  )
  return isNumber ? items.map(({ text }) => text.replace('#', '')) : null
}

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
