import type { ExportFormat } from './export-choice.ts'
import { toInstantText } from './instant-text.ts'
import { LISTS, type ListName, type RatingsQuery } from './ratings-query.ts'
import type { Chosen } from './value-list.ts'

const VALUES_MAX = 4
const VALUE_LENGTH = 24
/** In letters of {@link toAsciiName}, which are never fewer than bytes. File systems take 255 bytes. */
const FILTERS_LENGTH = 150

/** These values say what they are. */
const NAMELESS = new Set<ListName>(['symbol'])

type Facts = {
  format: ExportFormat
  rows: number
  /** The instant, in seconds, that the file is of. */
  asOf: number
  /** Up to when the archive was known to be complete, in seconds; null before the first sync. */
  completeTo: number | null
  /** How many columns, where they were chosen. */
  columns: number | null
}

/**
 * The name of an exported file: what was asked, how many rows there are, of when, up to when nothing is missing, and in
 * which zone the times stand:
 * `ratings_AAPL_2911-rows_as-of-20261121T043000Z_complete-to-20261121T042500Z_UTC.csv`. Letters and digits of any script
 * are kept; what a file system, a shell or a header could stumble over is not.
 */
export function toExportName(query: RatingsQuery, facts: Facts): string {
  const { format, rows, asOf, completeTo, columns } = facts
  const filters = cut(toFilters(query).join('_'), FILTERS_LENGTH)
  const parts = [
    'ratings',
    ...(filters === '' ? [] : [filters]),
    ...(columns === null ? [] : [`${columns}-columns`]),
    `${rows}-rows`,
    `as-of-${toStamp(asOf)}`,
    ...(completeTo === null ? [] : [`complete-to-${toStamp(completeTo)}`]),
    'UTC',
  ]
  return `${parts.join('_')}.${format}`
}

/** A name in ASCII, for programs that know nothing else: other letters stand as their code points. */
export const toAsciiName = (name: string): string =>
  name.replace(/[^\x20-\x7e]/gu, (letter) => `u${letter.codePointAt(0)?.toString(16)}`)

function toFilters(query: RatingsQuery): string[] {
  const bounds = [
    ['from', instant(query.from)],
    ['to', instant(query.to)],
    ['min', query.prediction_min],
    ['max', query.prediction_max],
    ['above', query.prediction_above],
    ['below', query.prediction_below],
  ] as const
  return [
    ...LISTS.flatMap((name) => toListParts(name, query[name])),
    ...bounds.flatMap(([name, value]) => (value === null ? [] : [`${name}-${toFileWord(value)}`])),
    ...(query.state === null ? [] : [query.state]),
  ]
}

const instant = (seconds: number | null) => (seconds === null ? null : toInstantText(seconds))

function toListParts(name: ListName, { only, not }: Chosen<string | number>): string[] {
  const before = NAMELESS.has(name) ? [] : [name]
  const part = (words: string[], values: readonly (string | number)[]) =>
    values.length === 0 ? [] : [[...before, ...words, ...toWords(values)].join('-')]
  return [...part([], only), ...part(['not'], not)]
}

function toWords(values: readonly (string | number)[]): string[] {
  const words = values.slice(0, VALUES_MAX).map((value) => toFileWord(String(value)))
  const rest = values.length - words.length
  return rest > 0 ? [...words, 'and', String(rest), 'more'] : words
}

/** A part of a file's name: letters, marks and digits of any script, and a point between two of them; never empty. */
export const toFileWord = (text: string): string => {
  const signed = text.normalize('NFC').replace(/^-(?=\d)/, 'minus')
  const word = signed.replace(/[^\p{L}\p{M}\p{N}.]+/gu, '-').replace(/\.{2,}/g, '.')
  return cut(word.replace(/^[-.]+|[-.]+$/g, ''), VALUE_LENGTH) || 'x'
}

/** So many letters of ASCII at the most, never half a letter of another script. */
function cut(text: string, length: number): string {
  let [kept, left] = ['', length]
  for (const letter of text) {
    left -= toAsciiName(letter).length
    if (left < 0) break
    kept += letter
  }
  return kept.replace(/[-._]+$/, '')
}

/** `20261121T043000Z`: a time without the colons that some file systems refuse. */
export const toStamp = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace(/[-:]|\.\d+/g, '')
