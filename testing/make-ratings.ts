import { toDateText } from '#lib/contract/instant-text.ts'
import type { Rating } from '#lib/contract/rating.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'

const HOUR = 3600
const LIFE_SECONDS = 90 * 86_400
const FIRST_SECOND = 1_780_000_000

/** Default: `id` hours after 2026-05-28 20:26:40 UTC. */
export function makeRating(id: number, change: Partial<Rating> = {}): Rating {
  const created_at = change.created_at ?? FIRST_SECOND + id * HOUR
  const code = 1 + (id % 5)
  return {
    id,
    user_id: 1 + (id % 5),
    symbol: id % 3 === 0 ? 'MSFT' : 'AAPL',
    rating: code,
    rating_label: `Label ${code}`,
    action: 4,
    action_label: 'Reiterated',
    prediction: '12.50',
    tally_agree: id,
    tally_disagree: 0,
    tally_comment: 0,
    created_at,
    created_at_date: toDateText(created_at),
    expired_at: created_at + LIFE_SECONDS,
    expired_at_date: toDateText(created_at + LIFE_SECONDS),
    ...change,
  }
}

/** Inclusive. */
export const makeRatings = (from: number, to: number): Rating[] =>
  Array.from({ length: to - from + 1 }, (_, index) => makeRating(from + index))

export type CsvLayout = { columns: readonly string[]; newline: string; bom: boolean }

export const PLAIN_LAYOUT: CsvLayout = { columns: RATING_FIELDS, newline: '\n', bom: false }

export function toCsv(ratings: readonly Rating[], layout: Partial<CsvLayout> = {}): string {
  const { columns, newline, bom } = { ...PLAIN_LAYOUT, ...layout }
  const rows = ratings.map((row) => {
    const fields: Record<string, unknown> = row
    return columns.map((name) => toField(fields[name])).join(',')
  })
  const lines = [columns.join(','), ...rows].map((line) => `${line}${newline}`)
  return `${bom ? '\ufeff' : ''}${lines.join('')}`
}

function toField(value: unknown): string {
  const text = String(value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
