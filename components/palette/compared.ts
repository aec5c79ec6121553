import { toCompareHref } from '#components/address/series-address.ts'
import { COMPARED_MAX } from '#lib/contract/api-queries.ts'
import { withAsOf } from '#lib/contract/as-of.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { isJoining } from './filter-text/plain-words.ts'
import type { Word } from './filter-text/tokenizer.ts'
import type { Row, Section } from './suggestions.ts'

const BETWEEN = /^(vs\.?|versus|against)$/i
const COMPARE = /^compare$/i
const ALSO = /^(and|with|to|the|symbols?|&)$/i

/** Symbol keys, or null if the text asks for anything else. */
export function readCompared(words: readonly Word[]): string[] | null {
  const isSaid = (word: Word, pattern: RegExp) => isBare(word) && pattern.test(toText(word))
  const [first] = words
  const begins = first !== undefined && isSaid(first, COMPARE)
  const isBetween = words.slice(1, -1).some((word) => isSaid(word, BETWEEN))
  if (!begins && !isBetween) return null
  const named = words
    .slice(begins ? 1 : 0)
    .filter((word) => !isSaid(word, BETWEEN) && !isSaid(word, ALSO) && !isJoining(word))
  const isSymbols = (word: Word) => isBare(word) && word.items.every(isPlain)
  if (!named.every(isSymbols)) return null
  const keys = named.flatMap(({ items }) => items.map(({ text }) => toSymbolKey(text)))
  return [...new Set(keys)].filter((key) => key !== '')
}

const isBare = ({ name, isNot }: Word) => name === null && !isNot

const isPlain = ({ isNot, operator, fault, text, isQuoted }: Word['items'][number]) =>
  !isNot && operator === '' && fault === null && (isQuoted || !/^#?\d+$/.test(text))

const toText = ({ items }: Word) => items.map(({ text }) => text).join('')

type Comparing = {
  keys: readonly string[]
  unknown: readonly string[]
  asof: number | null
}

export function selectCompareSection({ keys, unknown, asof }: Comparing): Section {
  const known = keys.filter((key) => !unknown.includes(key))
  const shown = known.slice(0, COMPARED_MAX)
  const notes = [
    ...(unknown.length > 0
      ? [
          `${joinAll(unknown.map(toVisibleText))} ${unknown.length === 1 ? 'has' : 'have'} no ratings.`,
        ]
      : []),
    ...(known.length > COMPARED_MAX
      ? [
          `At most ${COMPARED_MAX} symbols are compared. Left out: ${joinAll(known.slice(COMPARED_MAX).map(toVisibleText))}.`,
        ]
      : []),
    ...(known.length < 2 ? ['Name two symbols or more: compare AAPL MSFT'] : []),
  ]
  const note = notes.length > 0 ? notes.join(' ') : undefined
  return { name: 'Compare', rows: [toRow(shown, asof)], note }
}

function toRow(shown: readonly string[], asof: number | null): Row {
  const [first] = shown
  const id = `compare ${shown.join(' ')}`
  if (first === undefined) {
    const action = { do: 'open', href: withAsOf('/symbols', asof) } as const
    return { id, kind: 'Page', label: 'Symbols', detail: 'tick those to compare', action }
  }
  const label = joinAll(shown)
  const path = toCompareHref(shown, null)
  const place =
    shown.length === 1
      ? { kind: 'Symbol', label, detail: 'its page has “Compare”' }
      : { kind: 'Compare', label, detail: 'side by side' }
  const href = withAsOf(path, asof)
  const remember = { kind: place.kind, label, path }
  return { id, ...place, label: toVisibleText(label), action: { do: 'open', href, remember } }
}

function joinAll(names: readonly string[]): string {
  const [before, last] = [names.slice(0, -1), names.slice(-1)]
  return [...(before.length > 0 ? [before.join(', ')] : []), ...last].join(' and ')
}
