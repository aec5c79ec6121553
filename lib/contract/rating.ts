import * as z from 'zod/mini'
import { holdsMaskedKey, toReadableMask } from './masked-key.ts'
import {
  LAST_SECOND,
  PREDICTION_PATTERN,
  RATING_FIELDS,
  SYMBOL_MAX_LENGTH,
} from './rating-fields.ts'

const instant = z.int().check(z.gte(0), z.lte(LAST_SECOND))
const code = z.int().check(z.gte(-32_768), z.lte(32_767))
const tally = z.int().check(z.gte(0), z.lte(2_147_483_647))
// The database's binding drops that mark, and no address can hold a null: either would be read as another symbol.
const SYMBOL = /^(?!\ufeff)[^\0]*$/
const label = z.string().check(z.maxLength(200))

/**
 * A rating as a service writes it. `created_at` and `expired_at` are seconds since 1970; `expired_at` may be
 * null, 0 or before `created_at`. `prediction` is the decimal text that came. Unknown fields are stripped here
 * and kept apart by {@link splitRating}.
 */
export const rating = z.object({
  id: z.int(),
  user_id: z.int(),
  symbol: z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(SYMBOL_MAX_LENGTH),
      z.regex(SYMBOL, 'begins with a byte order mark or holds a null'),
    ),
  rating: code,
  rating_label: label,
  action: code,
  action_label: label,
  prediction: z.string().check(z.regex(PREDICTION_PATTERN, 'not a decimal number')),
  tally_agree: tally,
  tally_disagree: tally,
  tally_comment: tally,
  created_at: instant,
  created_at_date: label,
  expired_at: z.nullable(instant),
  expired_at_date: z.nullable(label),
})

export type Rating = z.infer<typeof rating>

/** A row on its way into an archive: a rating, with the fields that the specification does not know. */
export type IncomingRating = { rating: Rating; extra: Record<string, unknown> | null }

/** A row that is not a rating: why, and the text that came, but for a key that was masked in it. */
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
  if (!parsed.success) return reject(toReason(parsed.error.issues), value)
  const extra = selectExtra(value)
  if (isMasked(parsed.data, extra)) return reject('repeats the key of the service', value)
  return { ok: true, rating: parsed.data, extra }
}

/** Asked once a row of a dump, as {@link selectExtra} is: only texts are looked at. */
const isMasked = (row: Rating, extra: Record<string, unknown> | null): boolean =>
  holdsMaskedKey(row.symbol) ||
  holdsMaskedKey(row.rating_label) ||
  holdsMaskedKey(row.action_label) ||
  holdsMaskedKey(row.created_at_date) ||
  (row.expired_at_date !== null && holdsMaskedKey(row.expired_at_date)) ||
  (extra !== null && holdsMaskedKey(JSON.stringify(extra)))

const reject = (reason: string, value: unknown): ParsedRow => ({
  ok: false,
  reason,
  raw: rawText(value),
})

/**
 * Parses one record of a CSV in the dump layout; `header` names the cells, in any order.
 * An empty `expired_at` is null; every other cell must hold what the specification says.
 */
export function parseCsvRating(header: readonly string[], cells: readonly string[]): ParsedRow {
  if (cells.length !== header.length) {
    return reject(`${cells.length} cells under ${header.length} columns`, cells)
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
  // "-0" is a zero like any other, as it is to the database.
  if (integerFields.has(name) && INTEGER.test(text)) return Number(text) + 0
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
    return toReadableMask(JSON.stringify(value) ?? String(value)).slice(0, 4096)
  } catch {
    return toReadableMask(String(value)).slice(0, 4096)
  }
}

function toReason(issues: readonly z.core.$ZodIssue[]): string {
  return issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join('.') || 'row'}: ${issue.message}`)
    .join('; ')
}
