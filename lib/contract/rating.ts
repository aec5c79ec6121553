import * as z from 'zod/mini'
import { holdsMaskedKey, toReadableMask } from './masked-key.ts'
import {
  LAST_SECOND,
  PREDICTION_PATTERN,
  parseIntegerCell,
  RATING_FIELDS,
  SYMBOL_MAX_LENGTH,
  SYMBOL_PATTERN,
  SYMBOL_PROBLEM,
} from './rating-fields.ts'

const unless = (reason: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined ? 'missing' : reason),
})
const text = () => z.string(unless('not a text'))
/** JSON and CSV leave integers that no number holds as text, so that their digits are kept. */
const LARGE_INTEGER = /^[+-]?\d{16,}(?:\.0+)?$/
const isTooLarge = (input: unknown) =>
  typeof input === 'string' ? LARGE_INTEGER.test(input) : Number.isInteger(input)
const whole = () =>
  z.int({
    error: ({ input }) => {
      if (input === undefined) return 'missing'
      return isTooLarge(input) ? 'too large' : 'not a whole number'
    },
  })
const wholeWithin = (lowest: number, highest: number) =>
  whole().check(z.gte(lowest, `below ${lowest}`), z.lte(highest, `above ${highest}`))

const instant = wholeWithin(0, LAST_SECOND)
const code = wholeWithin(-32_768, 32_767)
const tally = wholeWithin(0, 2_147_483_647)
const label = text().check(z.maxLength(200, 'longer than 200 characters'))

/** `expired_at` may be null, 0 or before `created_at`. `prediction` keeps its text. */
export const rating = z.object(
  {
    id: whole(),
    user_id: whole(),
    symbol: text().check(
      z.minLength(1, 'empty'),
      z.maxLength(SYMBOL_MAX_LENGTH, `longer than ${SYMBOL_MAX_LENGTH} characters`),
      z.regex(SYMBOL_PATTERN, SYMBOL_PROBLEM),
    ),
    rating: code,
    rating_label: label,
    action: code,
    action_label: label,
    prediction: text().check(z.regex(PREDICTION_PATTERN, 'not a decimal number')),
    tally_agree: tally,
    tally_disagree: tally,
    tally_comment: tally,
    created_at: instant,
    created_at_date: label,
    expired_at: z.nullable(instant),
    expired_at_date: z.nullable(label),
  },
  'not an object',
)

export type Rating = z.infer<typeof rating>

export type IncomingRating = { rating: Rating; extra: Record<string, unknown> | null }

/** `raw` has the API key masked. `line`: 1-based, in a dump. */
export type RejectedRow = { reason: string; raw: string; line?: number }

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

/** Never throws. */
export function parseRating(value: unknown): ParsedRow {
  const parsed = rating.safeParse(value)
  if (!parsed.success) return rejectRow(toReason(parsed.error.issues), value)
  const extra = selectExtra(value)
  if (isMasked(parsed.data, extra)) return rejectRow('repeats the service’s key', value)
  return { ok: true, rating: parsed.data, extra }
}

const isMasked = (row: Rating, extra: Record<string, unknown> | null): boolean =>
  holdsMaskedKey(row.symbol) ||
  holdsMaskedKey(row.rating_label) ||
  holdsMaskedKey(row.action_label) ||
  holdsMaskedKey(row.created_at_date) ||
  (row.expired_at_date !== null && holdsMaskedKey(row.expired_at_date)) ||
  (extra !== null && holdsMaskedKey(JSON.stringify(extra)))

export const rejectRow = (reason: string, value: unknown): ParsedRow => ({
  ok: false,
  reason,
  raw: rawText(value),
})

/** Empty `expired_at` is null; any other cell must be valid. */
export function parseCsvRating(header: readonly string[], cells: readonly string[]): ParsedRow {
  if (cells.length !== header.length) {
    return rejectRow(`${cells.length} cells under ${header.length} columns`, cells)
  }
  const record: Record<string, unknown> = Object.create(null)
  for (let index = 0; index < header.length; index += 1) {
    const name = header[index] ?? ''
    // A trailing delimiter adds an empty, nameless column.
    if (name === '' && cells[index] === '') continue
    const cell = cells[index] ?? ''
    if (name !== '' || cell !== '') record[name] = toCell(name, cell)
  }
  return parseRating(record)
}

function toCell(name: string, text: string): unknown {
  if (text === '' && (name === 'expired_at' || name === 'expired_at_date')) return null
  return integerFields.has(name) ? (parseIntegerCell(text) ?? text) : text
}

/** Hot path: allocates only for extra fields. */
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
