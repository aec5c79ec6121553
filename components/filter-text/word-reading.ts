import { toVisibleText } from '#components/format/visible-text.ts'
import type { Item, Word } from './read-words.ts'

/**
 * What a word says: parameters of the address, or what is wrong with it in a sentence. `fixes` are words that may have
 * been meant.
 */
export type Reading =
  | { parameters: [name: string, value: string][] }
  | { problem: string; fixes: string[] }

const LONGEST = 32

/** A piece of somebody's text in a sentence of ours: short, and with everything invisible written out. */
export function toQuoted(text: string): string {
  const shown = [...toVisibleText(text)]
  return `“${shown.length > LONGEST ? `${shown.slice(0, LONGEST).join('')}…` : shown.join('')}”`
}

export const problem = (text: string, fixes: string[] = []): Reading => ({ problem: text, fixes })

/** The value as it was written, without quotes, its minus before it. */
export const toRaw = ({ isNot, text }: Item): string => `${isNot ? '-' : ''}${text}`

/** All that stands behind the name of a word. */
export const toValueText = ({ items }: Word): string =>
  items.map((item) => `${item.operator}${toRaw(item)}`).join(',')

/** A range (`5..12.5`) or a bound (`>10`). A value in quotes is neither. */
export const isCompared = ({ operator, isQuoted, text }: Item): boolean =>
  operator !== '' || (!isQuoted && text.includes('..'))

/** The two ends of a range; an end that is left out is ''. */
export function toEnds(item: Item): { low: string; high: string } {
  const raw = toRaw(item)
  const at = raw.indexOf('..')
  return { low: raw.slice(0, at), high: raw.slice(at + 2) }
}
