import { toVisibleText } from '#lib/contract/visible-text.ts'
import { toDateTime } from './plain-answer.ts'

const TICKER = /^[A-Z0-9][A-Z0-9.=^-]{0,11}$/

/** Text of the service: in quotes, unless it looks like a usual symbol. */
export const toQuoted = (raw: string): string =>
  TICKER.test(raw) ? raw : `"${toVisibleText(raw).replaceAll('"', '\\"')}"`

/** A decimal with two places, or `none`. */
export const toFigure = (decimal: string | null): string =>
  decimal === null ? 'none' : Number(decimal).toFixed(2)

export const toChange = (decimal: string | null): string => {
  const text = toFigure(decimal)
  return decimal === null || text.startsWith('-') ? text : `+${text}`
}

export const toPercent = (decimal: string | null): string =>
  decimal === null ? 'none' : `${toChange(decimal)}%`

/** A fraction as whole percent. */
export const toShare = (decimal: string | null): string =>
  decimal === null ? 'none' : `${Math.round(Number(decimal) * 100)}%`

export const toDay = (instant: number): string => toDateTime(instant).slice(0, 10)

export const toCount = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
