import type { CompareMode } from '#components/charts/chart-sizes.ts'
import { formatConsensus, formatCount, MINUS } from '#components/format/numbers.ts'
import type { FetchAnswer } from '#lib/client/fetch-api.ts'
import { comparisonOptions } from '#lib/client/symbol-options.ts'
import type { Comparison } from '#lib/contract/answers/opinion.ts'
import { COMPARED_MAX, type CompareQuery, compareQuery } from '#lib/contract/api-queries.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { only } from '#lib/contract/value-list.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'

export type CompareSpan = Pick<CompareQuery, 'bucket' | 'from' | 'to' | 'asof'>

/** The page's own symbol first, at most `COMPARED_MAX`. */
export const toComparedKeys = (symbol: string, vs: readonly string[]): string[] =>
  [...new Set([symbol, ...vs].map(toSymbolKey))].slice(0, COMPARED_MAX)

export const toCompareParams = (keys: readonly string[], span: CompareSpan): URLSearchParams =>
  toParams(compareQuery, { ...span, symbol: only(...keys) })

export const comparedOptions = (
  symbol: string,
  view: CompareSpan & { vs: readonly string[] },
  ask: FetchAnswer,
) => comparisonOptions(toCompareParams(toComparedKeys(symbol, view.vs), view), ask)

const DAY = 86_400

/** UTC day; null for a single symbol. */
export function toCommonStart(symbols: readonly { first_created_at: number }[]): number | null {
  if (symbols.length < 2) return null
  const latest = Math.max(...symbols.map((one) => one.first_created_at))
  return Math.floor(latest / DAY) * DAY
}

export type CompareScale = 'rating' | 'change'

/** A null `value` is a gap. */
type LinePoint = { t: number; value: number | null; text: string }

/** `place` determines the style. */
export type ComparedLine = {
  key: string
  symbol: string
  name: string
  place: number
  points: LinePoint[]
}

const UNITS = 10_000

type Choice = { minimum: number; scale: CompareScale }

/**
 * Points below `minimum` active ratings are gaps. Changes are since the symbol's first drawn value.
 */
export function toComparedLines(
  { symbols }: Pick<Comparison, 'symbols'>,
  keys: readonly string[],
  { minimum, scale }: Choice,
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
        const n = `n=${formatCount(active)}`
        if (value === null) return { t, value, text: active === 0 ? n : `too few (${n})` }
        const text = toConsensusText(value - base, scale)
        return { t, value: (value - base) / UNITS, text: `${text} (${n})` }
      }),
    }
  })
}

/** `units` are ten-thousandths: `3.76`, as a change `+0.21`. */
export function toConsensusText(units: number, scale: CompareScale): string {
  const size = Math.abs(units)
  const decimal = `${Math.trunc(size / UNITS)}.${String(size % UNITS).padStart(4, '0')}`
  const text = formatConsensus(decimal)
  if (scale === 'rating') return units < 0 ? `${MINUS}${text}` : text
  if (!/[1-9]/.test(text)) return text
  return `${units < 0 ? MINUS : '+'}${text}`
}

export function toEnds({ points }: ComparedLine): { first: LinePoint; last: LinePoint } | null {
  const first = points.find((point) => point.value !== null)
  const last = points.findLast((point) => point.value !== null)
  return first && last ? { first, last } : null
}

/** A multiple of 0.5. */
export function toChangeBound(lines: readonly ComparedLine[]): number {
  const values = lines.flatMap(({ points }) => points.flatMap(({ value }) => value ?? []))
  const most = values.reduce((bound, value) => Math.max(bound, Math.abs(value)), 0)
  return Math.max(0.5, Math.ceil(most * 2) / 2)
}

export type CompareStyle = {
  mode: CompareMode
  scale: CompareScale
  hidden: readonly string[]
  asTable: boolean
}

export type CompareChanges = Partial<
  CompareStyle & { vs: readonly string[]; from: number | null; to: number | null; isWhole: boolean }
>

type ComparisonWording = {
  scale: CompareScale
  bucket: string
  /** `in 2021-01` or `now` */
  toWhen: (t: number) => string
}

export function toCompareSummary(
  lines: readonly ComparedLine[],
  { scale, bucket, toWhen }: ComparisonWording,
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
