import { fromVisibleText } from '#lib/contract/visible-text.ts'

const OPERATORS = ['>=', '<=', '>', '<', ''] as const
export type Operator = (typeof OPERATORS)[number]

/** `text` is unquoted and starts at `start`, after the minus and the operator. */
export type Item = {
  start: number
  end: number
  operator: Operator
  isNot: boolean
  text: string
  isQuoted: boolean
  isClosed: boolean
}

/** Range `[start, end)`. `name`: lower case; null without a colon. */
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
const QUOTED = /"((?:[^"]+|"")*)("|$)/y
const PLAIN = /[^\s,]*/y

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

function readItem(text: string, from: number): Item {
  const operator = OPERATORS.find((one) => text.startsWith(one, from)) ?? ''
  // After an operator, a minus is a sign.
  const isNot = operator === '' && text[from] === '-'
  const start = from + operator.length + (isNot ? 1 : 0)
  const quoted = matchAt(QUOTED, text, start)
  const behind = start + (quoted?.[0].length ?? 0)
  const rest = matchAt(PLAIN, text, behind)?.[0] ?? ''
  return {
    start,
    end: behind + rest.length,
    operator,
    isNot,
    text: fromVisibleText(quoted ? (quoted[1] ?? '').replaceAll('""', '"') : rest),
    isQuoted: quoted !== null,
    isClosed: quoted === null || (quoted[2] === '"' && rest === ''),
  }
}

/** The name or the value at the caret, `[start, end)`, without minus and operator. */
export type Writing = { name: string | null; typed: string; start: number; end: number }

export function writingAt(words: readonly Word[], caret: number): Writing {
  const nothing = { name: null, typed: '', start: caret, end: caret }
  const word = words.find(({ start, end }) => start <= caret && caret <= end)
  if (!word) return nothing
  const start = word.start + (word.isNot ? 1 : 0)
  if (caret < start) return nothing
  if (word.name !== null && caret < word.valueStart) {
    return { name: null, typed: word.name, start, end: word.valueStart }
  }
  const item = word.items.findLast((one) => one.start <= caret) ?? word.items[0]
  return item ? { name: word.name, typed: item.text, start: item.start, end: item.end } : nothing
}

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
