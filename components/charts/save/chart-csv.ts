import Papa from 'papaparse'
import { toFormulaSafe } from '#lib/contract/export-choice.ts'
import { type ChartCell, type ChartColumn, type ChartFacts, toSource } from './chart-facts.ts'

const DECIMAL = /^-?\d+(?:\.\d+)?$/

/**
 * RFC 4180. Decimals are as the API returned them, instants in UTC, missing values empty. The last
 * columns repeat the chart's metadata: most readers take no comment lines.
 */
export function toChartCsv(facts: ChartFacts, host: string): string {
  const { columns, rows, title, range, zone, rule, asOf, completeTo } = facts
  const about: readonly [ChartColumn, ChartCell][] = [
    [text('chart'), title],
    [text('range'), range],
    [text('zone'), zone],
    [text('rule'), rule],
    [text('source'), toSource(facts, host)],
    [{ name: 'complete_to', kind: 'instant' }, completeTo],
    [{ name: 'as_of', kind: 'instant' }, asOf],
  ]
  const every = [...columns, ...about.map(([column]) => column)]
  const said = about.map(([, cell]) => cell)
  const data = rows.map((row) =>
    [...row, ...said].map((cell, index) => toField(cell, every[index]?.kind ?? 'text')),
  )
  const names = every.map(({ name }) => name)
  return `${Papa.unparse([names, ...data], { newline: '\r\n' })}\r\n`
}

const text = (name: string): ChartColumn => ({ name, kind: 'text' })

function toField(cell: ChartCell, kind: ChartColumn['kind']): string {
  if (cell === null) return ''
  if (kind === 'instant') return new Date(Number(cell) * 1000).toISOString().replace('.000Z', 'Z')
  const written = String(cell)
  return kind === 'number' && DECIMAL.test(written) ? written : toFormulaSafe(written)
}
