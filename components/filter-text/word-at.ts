import type { Word } from './read-words.ts'

/**
 * What is being written at the caret: a name or a bare word (`name` null), or one value of the word `name`. `typed` is
 * what stands there, from `start` to before `end`; a minus or the operator of a bound (`isBound`) stays outside.
 * `isAlone` says that the word has no other value.
 */
export type Writing = {
  name: string | null
  typed: string
  start: number
  end: number
  isAlone: boolean
  isBound: boolean
}

/** What the caret stands in or right behind; white space is the beginning of a word. */
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
  // The minus of a sort is its direction.
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

export type Edit = { text: string; caret: number }

/** The text with another piece in place of what is written there, and the caret behind it. */
export function replaceAt(
  text: string,
  { start, end }: { start: number; end: number },
  piece: string,
): Edit {
  const rest = text.slice(end)
  // A name wants its value next; whatever is finished wants the next word.
  const gap = piece.endsWith(':') || /^\s|^,/.test(rest) ? '' : ' '
  const before = text.slice(0, start) + piece + gap
  return { text: before + rest, caret: before.length }
}
