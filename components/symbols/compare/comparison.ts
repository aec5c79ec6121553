import type { CompareMode } from '#components/charts/chart-sizes.ts'
import { type Formats, MINUS } from '#components/format/numbers.ts'
import type { Ask } from '#lib/client/fetch-api.ts'
import { comparisonOptions } from '#lib/client/query-options.ts'
import type { Comparison } from '#lib/contract/answers/opinion.ts'
import { COMPARED_MAX, type CompareQuery, compareQuery } from '#lib/contract/api-queries.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { only } from '#lib/contract/value-list.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'

/** The buckets and the range of a comparison, as the page that it stands on has them. */
export type CompareSpan = Pick<CompareQuery, 'bucket' | 'from' | 'to' | 'asof'>

/** The keys that are compared: the page's own symbol first, each once, as many as can be. */
export const toComparedKeys = (symbol: string, vs: readonly string[]): string[] =>
  [...new Set([symbol, ...vs].map(toSymbolKey))].slice(0, COMPARED_MAX)

/** The parameters of a comparison, in the order of its lines. */
export const toCompareParams = (keys: readonly string[], span: CompareSpan): URLSearchParams =>
  toParams(compareQuery, { ...span, symbol: only(...keys) })

/** The comparison of a page's own symbol with those beside it. */
export const comparedOptions = (
  symbol: string,
  view: CompareSpan & { vs: readonly string[] },
  ask: Ask,
) => comparisonOptions(toCompareParams(toComparedKeys(symbol, view.vs), view), ask)

const DAY = 86_400

/** The day (UTC) from which all of them had been rated; null where one of them is compared with nothing. */
export function toCommonStart(symbols: readonly { first_created_at: number }[]): number | null {
  if (symbols.length < 2) return null
  const latest = Math.max(...symbols.map((one) => one.first_created_at))
  return Math.floor(latest / DAY) * DAY
}

/** What is compared: the consensus itself, or how far it has come since the range's first value. */
export type CompareScale = 'rating' | 'change'

/** One bucket of a line: how it is drawn (null is a gap), and the exact text of it with its n. */
export type LinePoint = { t: number; value: number | null; text: string }

/** One symbol. `place` is where it stands among those asked for, which its look follows. */
export type ComparedLine = {
  key: string
  symbol: string
  /** The symbol as it is shown. */
  name: string
  place: number
  points: LinePoint[]
}

/** A consensus has four places. */
const UNITS = 10_000

type Choice = { minimum: number; scale: CompareScale }

/**
 * The lines of a comparison, in the order asked. Below `minimum` active ratings there is a gap. The change is of each
 * symbol's own, in rating points, since its first value that is drawn.
 */
export function toComparedLines(
  { symbols }: Pick<Comparison, 'symbols'>,
  keys: readonly string[],
  { minimum, scale }: Choice,
  formats: Formats,
): ComparedLine[] {
  return symbols.map(({ symbol, points }) => {
    const key = toSymbolKey(symbol)
    const units = points.map(({ active, consensus }) =>
      consensus === null || active < minimum ? null : Math.round(Number(consensus) * UNITS),
    )
    const base = scale === 'change' ? (units.find((value) => value !== null) ?? 0) : 0
    return {
      key,
      symbol,
      name: toVisibleText(symbol),
      place: Math.max(0, keys.indexOf(key)),
      points: points.map(({ t, active }, index) => {
        const value = units[index] ?? null
        const n = `n=${formats.formatCount(active)}`
        if (value === null) return { t, value, text: active === 0 ? n : `too few (${n})` }
        const text = toConsensusText(value - base, scale, formats)
        return { t, value: (value - base) / UNITS, text: `${text} (${n})` }
      }),
    }
  })
}

/** A whole number of ten-thousandths as it is read: `3.76`, and as a change `+0.21`. */
export function toConsensusText(
  units: number,
  scale: CompareScale,
  { formatConsensus }: Formats,
): string {
  const size = Math.abs(units)
  const decimal = `${Math.trunc(size / UNITS)}.${String(size % UNITS).padStart(4, '0')}`
  const text = formatConsensus(decimal)
  if (scale === 'rating') return units < 0 ? `${MINUS}${text}` : text
  if (!/[1-9]/.test(text)) return text
  return `${units < 0 ? MINUS : '+'}${text}`
}

/** The lines' own values at the end of the range, and how far they came in it; null where nothing is drawn. */
export function toEnds({ points }: ComparedLine): { first: LinePoint; last: LinePoint } | null {
  const first = points.find((point) => point.value !== null)
  const last = points.findLast((point) => point.value !== null)
  return first && last ? { first, last } : null
}

/** A scale around zero that holds all changes: half or whole rating points, at least half of one. */
export function toChangeBound(lines: readonly ComparedLine[]): number {
  const values = lines.flatMap(({ points }) => points.flatMap(({ value }) => value ?? []))
  const most = values.reduce((bound, value) => Math.max(bound, Math.abs(value)), 0)
  return Math.max(0.5, Math.ceil(most * 2) / 2)
}

/** How a comparison is drawn; `hidden` are the keys of those switched off. */
export type CompareStyle = {
  mode: CompareMode
  scale: CompareScale
  hidden: readonly string[]
  asTable: boolean
}

/** What a comparison asks its page to change. */
export type CompareChanges = Partial<
  CompareStyle & { vs: readonly string[]; from: number | null; to: number | null; isWhole: boolean }
>

type Told = {
  scale: CompareScale
  bucket: string
  /** What stood at the end of the bucket that begins at `t`: `in 2021-01`, `now`. */
  toWhen: (t: number) => string
}

/** A comparison in words, for whoever does not see it: each symbol's first and last value, and when those were. */
export function toCompareSummary(
  lines: readonly ComparedLine[],
  { scale, bucket, toWhen }: Told,
): string {
  if (!lines[0]?.points.length) return 'Nothing is drawn.'
  const told = lines.map((line) => {
    const ends = toEnds(line)
    if (!ends) return `${line.name}: too few ratings throughout.`
    const [from, to] = [ends.first, ends.last].map(({ t, text }) => `${text} ${toWhen(t)}`)
    return `${line.name}: ${from === to ? to : `from ${from} to ${to}`}.`
  })
  return [
    `${scale === 'rating' ? 'Consensus' : 'Change of consensus'} by ${bucket}.`,
    ...told,
  ].join(' ')
}
