import type * as z from 'zod/mini'
import { type Rating, rating } from './rating.ts'
import { RATING_FIELDS } from './rating-fields.ts'

/** A row on its way into an archive: a rating, with the fields that the specification does not know. */
export type IncomingRating = { rating: Rating; extra: Record<string, unknown> | null }

/** A row that is no rating: why, and the text that came. */
export type RejectedRow = { reason: string; raw: string }

export type ParsedRow = ({ ok: true } & IncomingRating) | ({ ok: false } & RejectedRow)

const known = new Set<string>(RATING_FIELDS)
const integerFields = new Set<string>([
  'id',
  'user_id',
  'rating',
  'action',
  'tally_agree',
  'tally_disagree',
  'tally_comment',
  'created_at',
  'expired_at',
])
const INTEGER = /^[+-]?\d{1,16}$/

/** Parses one element of a page's `data`. Never throws: what is no rating comes back with its reason. */
export function parseRating(value: unknown): ParsedRow {
  const parsed = rating.safeParse(value)
  if (!parsed.success) {
    return { ok: false, reason: toReason(parsed.error.issues), raw: rawText(value) }
  }
  return { ok: true, rating: parsed.data, extra: selectExtra(value) }
}

/**
 * Parses one record of a CSV in the dump layout; `header` names the cells, in any order.
 * An empty `expired_at` is null; every other cell must hold what the specification says.
 */
export function parseCsvRating(header: readonly string[], cells: readonly string[]): ParsedRow {
  if (cells.length !== header.length) {
    return {
      ok: false,
      reason: `${cells.length} cells under ${header.length} columns`,
      raw: rawText(cells),
    }
  }
  const record: Record<string, unknown> = Object.create(null)
  for (let index = 0; index < header.length; index += 1) {
    const name = header[index] ?? ''
    record[name] = toCell(name, cells[index] ?? '')
  }
  return parseRating(record)
}

function toCell(name: string, text: string): unknown {
  if (text === '' && (name === 'expired_at' || name === 'expired_at_date')) return null
  if (integerFields.has(name) && INTEGER.test(text)) return Number(text)
  return text
}

/** The fields beside the specification's. Asked once a row of a dump, so the usual answer, none, costs no allocation. */
function selectExtra(value: unknown): Record<string, unknown> | null {
  if (typeof value !== 'object' || value === null) return null
  for (const name in value) {
    if (!known.has(name)) {
      return Object.fromEntries(Object.entries(value).filter(([other]) => !known.has(other)))
    }
  }
  return null
}

function rawText(value: unknown): string {
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, 4096)
  } catch {
    return String(value).slice(0, 4096)
  }
}

function toReason(issues: readonly z.core.$ZodIssue[]): string {
  return issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join('.') || 'row'}: ${issue.message}`)
    .join('; ')
}
