import { toVisibleText } from '#lib/contract/visible-text.ts'
import type { Cells } from './engine.ts'
import { type Column, isNumeric, isTime } from './statement.ts'

export type Axis = Column & { index: number }

/** `x`: a number, or seconds since 1970 for times; 0 for names. */
export type ChartPoint = { x: number; y: number; label: string; value: string }

type Charted = { chart: string; rows: readonly Cells[]; x: Axis; y: Axis }

/**
 * Rows without both values are left out. Numbers and times are in order, names in that of the rows.
 * Bars stand at names: numbers would draw the outer ones over the axis.
 */
export function toChartPoints({ chart, rows, x, y }: Charted) {
  const kind = isNumeric(x.type) ? 'number' : isTime(x.type) ? 'time' : 'names'
  const toPlace = { number: Number, time: toSeconds, names: () => 0 }[kind]
  const points = rows.flatMap((row): ChartPoint[] => {
    const [label, value] = [row[x.index] ?? null, row[y.index] ?? null]
    if (label === null || value === null) return []
    const [at, up] = [toPlace(label), Number(value)]
    const isDrawn = Number.isFinite(at) && Number.isFinite(up)
    return isDrawn ? [{ x: at, y: up, label: toVisibleText(label), value }] : []
  })
  if (kind !== 'names') points.sort((a, b) => a.x - b.x)
  return { points, scale: chart === 'bar' ? 'names' : kind } as const
}

/** `2026-08-27`, `2026-08-27 10:30:00.5` or with `+00`. */
function toSeconds(text: string): number {
  const [day = '', time = '00:00:00'] = text.split(' ')
  return Date.parse(`${day}T${time.replace(/[+-]\d\d$/, '')}Z`) / 1000
}

const MOST_TICKS = 6

/** Round numbers that enclose all values. */
export function toValueTicks(points: readonly ChartPoint[], hasZero: boolean): readonly number[] {
  const values = points.map(({ y }) => y)
  const low = Math.min(...values, ...(hasZero ? [0] : []))
  const high = Math.max(...values, ...(hasZero ? [0] : []))
  if (!Number.isFinite(high - low)) return [0, 1]
  const span = high - low || Math.abs(high) || 1
  const rough = span / (MOST_TICKS - 1)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10)
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)]
  const count = Math.max(1, last - first)
  return Array.from({ length: count + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  )
}
