import { type Formats, MINUS } from '#components/format/numbers.ts'
import type { Comparison } from '#lib/contract/answers/opinion.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'

/** What is compared: the consensus itself, or how far it has come since the range's first value. */
export type CompareScale = 'rating' | 'change'

/** One bucket of a line: how it is drawn (null is a gap), and the exact text of it with its n. */
export type LinePoint = { t: number; value: number | null; text: string }

/** One symbol. `place` is where it stands among those asked for, which its look follows. */
export type ComparedLine = { key: string; symbol: string; place: number; points: LinePoint[] }

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
      place: Math.max(0, keys.indexOf(key)),
      points: points.map(({ t, active }, index) => {
        const value = units[index] ?? null
        const n = `n=${formats.formatCount(active)}`
        if (value === null) return { t, value, text: active === 0 ? n : `too few (${n})` }
        const text = toText(value - base, scale, formats)
        return { t, value: (value - base) / UNITS, text: `${text} (${n})` }
      }),
    }
  })
}

/** A whole number of ten-thousandths as it is read: `3.76`, and as a change `+0.21`. */
export function toText(units: number, scale: CompareScale, { formatConsensus }: Formats): string {
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
