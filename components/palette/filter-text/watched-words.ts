import { quoteValue } from '#lib/contract/value-list.ts'
import type { Word } from './tokenizer.ts'

export type WatchedValues = { symbols: readonly string[]; users: readonly number[] }

export const NOTHING_WATCHED: WatchedValues = { symbols: [], users: [] }

const KINDS = ['symbols', 'users'] as const
type Kind = (typeof KINDS)[number]

const PARAMETERS = { symbols: 'symbol', users: 'user' } as const

type ParseResult =
  | { parameters: [name: string, value: string][] }
  | { problem: string; fixes: string[] }

const FIXES = KINDS.map((kind) => `watched:${kind}`)

/** Symbols and users apply as AND: a URL cannot express OR. */
export function readWatched({ items, isNot }: Word, watched: WatchedValues): ParseResult {
  const parameters: [string, string][] = []
  for (const item of items) {
    const kind = KINDS.find((one) => one === toPlural(item.text))
    if (!kind || item.operator !== '') return refuse(item.text)
    if (isNot && item.isNot) {
      return { problem: 'watched: one minus is enough to exclude something', fixes: [] }
    }
    const values = watched[kind]
    if (values.length === 0) return { problem: NONE[kind], fixes: [] }
    const sign = isNot || item.isNot ? '-' : ''
    const text = values.map((value) => `${sign}${quoteValue(value)}`).join(',')
    parameters.push([PARAMETERS[kind], text])
  }
  return { parameters }
}

const NONE: Record<Kind, string> = {
  symbols: 'watched: you watch no symbol yet; a star on its page watches it',
  users: 'watched: you watch no user yet; a star on their page watches them',
}

function refuse(text: string): ParseResult {
  if (toPlural(text) === 'views') {
    return { problem: 'watched: a view is no filter; open it under Watching', fixes: FIXES }
  }
  return { problem: 'watched takes symbols or users', fixes: FIXES }
}

const toPlural = (text: string) => text.toLowerCase().replace(/^(symbol|user|view)$/, '$1s')
