/** Fixed, so that server and browser write the same text. */
const LOCALE = 'en-US'

const formats = new Map<string, Intl.NumberFormat>()

/** A whole number with thousands separators: `98,310`. */
export function formatCount(count: number, locale: string = LOCALE): string {
  let format = formats.get(locale)
  if (!format) {
    format = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
    formats.set(locale, format)
  }
  return format.format(count)
}

/** A count with its noun: `1 rating`, `2,911 ratings`. The plural takes an s unless it is given. */
export const formatCounted = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`
