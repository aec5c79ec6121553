import { parseInstant } from './instant-text.ts'

const PERIOD = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/

/** From `from` on, before `to`: seconds since 1970. */
export type Span = { from: number; to: number }

/** The seconds of a year, a month or a day of UTC: `2024`, `2024-05`, `2024-05-13`. Null where the text is none. */
export function parsePeriod(text: string): Span | null {
  const [, year, month, day] = PERIOD.exec(text) ?? []
  if (year === undefined) return null
  const from = parseInstant(`${year}-${month ?? '01'}-${day ?? '01'}`)
  if (from === null) return null
  const [y, m, d] = [Number(year), Number(month ?? 1) - 1, Number(day ?? 1)]
  const next = day ? [y, m, d + 1] : month ? [y, m + 1, 1] : [y + 1, 0, 1]
  return { from, to: Date.UTC(next[0] ?? 0, next[1] ?? 0, next[2] ?? 1) / 1000 }
}
