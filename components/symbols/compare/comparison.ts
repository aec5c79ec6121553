import { formatConsensus, formatCount } from '#components/format/numbers.ts'
import type { FetchAnswer } from '#lib/client/fetch-api.ts'
import { comparisonOptions } from '#lib/client/symbol-options.ts'
import { CONSENSUS_MIN } from '#lib/contract/answers/limits.ts'
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

/** Points below CONSENSUS_MIN active ratings are gaps. */
export function toComparedLines(
  { symbols }: Pick<Comparison, 'symbols'>,
  keys: readonly string[],
): ComparedLine[] {
  return symbols.map(({ symbol, points }) => {
    const key = toSymbolKey(symbol)
    return {
      key,
      symbol,
      name: toVisibleText(symbol),
      place: Math.max(0, keys.indexOf(key)),
      points: points.map(({ t, active, consensus }) => {
        const n = `n=${formatCount(active)}`
        if (consensus === null || active < CONSENSUS_MIN) {
          return { t, value: null, text: active === 0 ? n : `too few (${n})` }
        }
        return { t, value: Number(consensus), text: `${formatConsensus(consensus)} (${n})` }
      }),
    }
  })
}

export function toEnds({ points }: ComparedLine): { first: LinePoint; last: LinePoint } | null {
  const first = points.find((point) => point.value !== null)
  const last = points.findLast((point) => point.value !== null)
  return first && last ? { first, last } : null
}

export type CompareStyle = {
  hidden: readonly string[]
  asTable: boolean
}

export type CompareChanges = Partial<
  CompareStyle & { vs: readonly string[]; from: number | null; to: number | null; isWhole: boolean }
>

type ComparisonWording = {
  bucket: string
  /** `in 2021-01` or `now` */
  toWhen: (t: number) => string
}

export function toCompareSummary(
  lines: readonly ComparedLine[],
  { bucket, toWhen }: ComparisonWording,
): string {
  if (!lines[0]?.points.length) return 'Nothing is drawn.'
  const told = lines.map((line) => {
    const ends = toEnds(line)
    if (!ends) return `${line.name}: too few ratings throughout.`
    const [from, to] = [ends.first, ends.last].map(({ t, text }) => `${text} ${toWhen(t)}`)
    return `${line.name}: ${from === to ? to : `from ${from} to ${to}`}.`
  })
  return [`Consensus by ${bucket}.`, ...told].join(' ')
}
