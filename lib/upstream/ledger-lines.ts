import { crc32 } from 'node:zlib'
import { PURPOSES, type Purpose } from './upstream.ts'

/**
 * One request spent: when (seconds since 1970), its UTC month, which request of that month it was, what for, and which
 * one for that. Ledgers of before purposes do not say the last two.
 */
export type Spent = {
  at: number
  month: string
  ordinal: number
  purpose: Purpose | null
  nth: number
}

const LINE =
  /^((\d{1,12}) (\d{4}-\d{2}) (\d{1,9})(?: (dump|follow|people) (\d{1,9}))?) ([0-9a-f]{8})$/

/** The UTC month of an instant, `YYYY-MM`. Months compare as texts. */
export const toMonth = (at: number): string => new Date(at * 1000).toISOString().slice(0, 7)

/** The first second of the UTC month after the one of `at`. */
export function nextMonthAt(at: number): number {
  const date = new Date(at * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1000
}

/** `1700000000 2023-11 7 dump 2 0a1b2c3d`: the fields, then their checksum. */
export function toLine({ at, month, ordinal, purpose, nth }: Spent): string {
  const spentFor = purpose === null ? '' : ` ${purpose} ${nth}`
  const text = `${Math.floor(at)} ${month} ${ordinal}${spentFor}`
  return `${text} ${checksum(text)}`
}

/** Null for a line that was cut or damaged. */
export function parseLine(line: string): Spent | null {
  const [, text = '', at, month = '', ordinal, name, nth = '0', sum] = LINE.exec(line) ?? []
  if (text === '' || checksum(text) !== sum) return null
  const purpose = PURPOSES.find((one) => one === name) ?? null
  return { at: Number(at), month, ordinal: Number(ordinal), purpose, nth: Number(nth) }
}

const checksum = (text: string) => crc32(text).toString(16).padStart(8, '0')
