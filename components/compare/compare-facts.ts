import type { ChartColumn, ChartFacts } from '#components/chart-files/chart-facts.ts'
import { toShownDays } from '#components/symbols/shown-days.ts'
import type { CompareAnswer } from '#lib/contract/answers/opinion.ts'
import { toAsofParameter } from '#lib/contract/instant-text.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { toCompareRule } from './compare-notes.tsx'
import type { CompareSpan } from './compare-query.ts'
import type { ComparedLine, CompareScale } from './compared-lines.ts'

type Displayed = CompareSpan & {
  scale: CompareScale
  minimum: number
  /** Those that are switched on, at least one. */
  lines: readonly ComparedLine[]
}

/** What a comparison says of itself when it is saved; its rows are the cells of its table, symbol by symbol. */
export function toCompareFacts({ data, meta }: CompareAnswer, displayed: Displayed): ChartFacts {
  const { scale, minimum, lines, asof } = displayed
  const { bucket } = data
  const symbols = lines.map(({ symbol }) => symbol)
  const days = toShownDays(lines[0]?.points[0], displayed, meta.as_of)
  const isChange = scale === 'change'
  return {
    title: `${isChange ? 'Change of consensus' : 'Consensus'} compared: ${symbols.join(', ')}`,
    range: `${days.join(' to ')}, by ${bucket}`,
    zone: 'UTC',
    rule: toCompareRule({ bucket, scale, minimum }),
    asOf: meta.as_of,
    completeTo: meta.complete_to,
    nameParts: [
      ...symbols,
      ...days,
      bucket,
      ...(isChange ? ['change'] : []),
      ...(asof === null ? [] : [`as-of-${toAsofParameter(asof)}`]),
    ],
    columns: isChange ? [...COLUMNS, CHANGE] : COLUMNS,
    rows: lines.flatMap(({ key, symbol }) => {
      const points = data.symbols.find((one) => toSymbolKey(one.symbol) === key)?.points ?? []
      const drawn = points.map(({ active, consensus }) => (active < minimum ? null : consensus))
      const first = drawn.find((consensus) => consensus !== null) ?? null
      return points.map(({ t, active }, index) => {
        const consensus = drawn[index] ?? null
        const row = [symbol, bucket, t, active, consensus]
        return isChange ? [...row, toChange(first, consensus)] : row
      })
    }),
  }
}

const COLUMNS: readonly ChartColumn[] = [
  { name: 'symbol', kind: 'text' },
  { name: 'bucket', kind: 'text' },
  { name: 'bucket_start', kind: 'instant' },
  { name: 'active', kind: 'number' },
  { name: 'consensus', kind: 'number' },
]
const CHANGE: ChartColumn = { name: 'change', kind: 'number' }

/** A consensus has four places: in whole units of them the difference is exact. */
const UNITS = 10_000

function toChange(first: string | null, consensus: string | null): string | null {
  if (first === null || consensus === null) return null
  const units = Math.round(Number(consensus) * UNITS) - Math.round(Number(first) * UNITS)
  return (units / UNITS).toFixed(4)
}
