import { fromVisibleText } from '#lib/contract/visible-text.ts'
/** `text` is unquoted. */
export type Item = {
  start: number
  valueStart: number
  end: number
  operator: '' | '>' | '>=' | '<' | '<='
  isNot: boolean
  text: string
  isQuoted: boolean
  fault: 'open' | 'behind' | null
}

/** Range `[start, end)`. `name`: lower case; null for a bare word. */
export type Word = {
  start: number
  end: number
  isNot: boolean
  name: string | null
  valueStart: number
  items: Item[]
}

const SPACE = /\s*/y
const NAME = /([^\s:,"<>=-][^\s:,"]*):/y
const OPERATOR = /[<>]=|[<>≤≥=]/y
const QUOTED = /"((?:[^"]+|"")*)("|$)/y
const PLAIN = /[^\s,]*/y

const PLAIN_OPERATORS: Readonly<Record<string, Item['operator']>> = {
  '>': '>',
  '<': '<',
  '>=': '>=',
  '<=': '<=',
  '≥': '>=',
  '≤': '<=',
  '=': '',
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

const lengthAt = (pattern: RegExp, text: string, at: number): number =>
  matchAt(pattern, text, at)?.[0].length ?? 0

/** Never throws. */
export function readWords(text: string): Word[] {
  const words: Word[] = []
  let at = lengthAt(SPACE, text, 0)
  while (at < text.length) {
    const word = readWord(text, at)
    words.push(word)
    at = word.end + lengthAt(SPACE, text, word.end)
  }
  return words
}

function readWord(text: string, start: number): Word {
  const isNot = text[start] === '-'
  const nameStart = isNot ? start + 1 : start
  const name = matchAt(NAME, text, nameStart)
  const valueStart = nameStart + (name?.[0].length ?? 0)
  const items = [readItem(text, valueStart)]
  let end = items[0]?.end ?? valueStart
  while (text[end] === ',') {
    const item = readItem(text, end + 1)
    items.push(item)
    end = item.end
  }
  return { start, end, isNot, name: name?.[1]?.toLowerCase() ?? null, valueStart, items }
}

function readItem(text: string, start: number): Item {
  const operator = matchAt(OPERATOR, text, start)?.[0] ?? ''
  // After an operator, a minus is a sign.
  const isNot = operator === '' && text[start] === '-'
  const at = start + operator.length + (isNot ? 1 : 0)
  const quoted = matchAt(QUOTED, text, at)
  const behind = quoted ? at + quoted[0].length : at
  const rest = matchAt(PLAIN, text, behind)?.[0] ?? ''
  return {
    start,
    valueStart: at,
    end: behind + rest.length,
    operator: PLAIN_OPERATORS[operator] ?? '',
    isNot,
    text: fromVisibleText(quoted ? (quoted[1] ?? '').replaceAll('""', '"') : rest),
    isQuoted: quoted !== null,
    fault: quoted ? toFault(quoted[2], rest) : null,
  }
}

function toFault(closing: string | undefined, behind: string): Item['fault'] {
  if (closing !== '"') return 'open'
  return behind === '' ? null : 'behind'
}

/** The name or value at the caret, `[start, end)`, without minus or operator. */
export type Writing = {
  name: string | null
  typed: string
  start: number
  end: number
  isAlone: boolean
  isBound: boolean
}

export function writingAt(words: readonly Word[], caret: number): Writing {
  const word = words.find(({ start, end }) => start <= caret && caret <= end)
  if (!word || caret < word.start + (word.isNot ? 1 : 0)) {
    return { name: null, typed: '', start: caret, end: caret, isAlone: true, isBound: false }
  }
  const item = word.items.findLast(({ start }) => start <= caret) ?? word.items[0]
  if (!item || (word.name !== null && caret < word.valueStart)) {
    const start = word.start + (word.isNot ? 1 : 0)
    return {
      name: null,
      typed: word.name ?? '',
      start,
      end: word.valueStart,
      isAlone: true,
      isBound: false,
    }
  }
  // In `sort`, a minus is the direction.
  const isWhole = word.name === 'sort'
  return {
    name: word.name,
    typed: isWhole && item.isNot ? `-${item.text}` : item.text,
    start: isWhole ? item.start : item.valueStart,
    end: item.end,
    isAlone: word.items.length === 1,
    isBound: item.operator !== '',
  }
}

/** `writing` with the bare words before it, if none of them has a meaning of its own. */
export function phraseAt(
  words: readonly Word[],
  writing: Writing,
  isUnknown: (text: string) => boolean,
): Writing {
  const isPart = ({ name, isNot, items: [item, ...others] }: Word) =>
    name === null && !isNot && item !== undefined && others.length === 0 && isUnknown(item.text)
  const last = words.findIndex(({ start, end }) => start <= writing.start && writing.end <= end)
  let first = last
  while (first >= 0 && isPart(words[first] as Word)) first -= 1
  const parts = words.slice(first + 1, last + 1)
  const [begin] = parts
  if (begin === undefined) return writing
  return { ...writing, typed: parts.map(toItemText).join(' '), start: begin.start }
}

const toItemText = ({ items }: Word) => items.map(({ text }) => text).join(',')

export type Edit = { text: string; caret: number }

export function replaceAt(
  text: string,
  { start, end }: { start: number; end: number },
  piece: string,
): Edit {
  const rest = text.slice(end)
  const gap = piece.endsWith(':') || /^\s|^,/.test(rest) ? '' : ' '
  const before = text.slice(0, start) + piece + gap
  return { text: before + rest, caret: before.length }
}
