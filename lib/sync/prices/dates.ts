/** Days since 1970, or the end of a sentence. */
export type DayResult = { day: number } | { reason: string }

/** Null if the file does not show the order. */
export type DateOrder = 'month first' | 'day first' | null

const YEAR_FIRST = /^(\d{4})([-/.]?)(\d{2})\2(\d{2})(?:[T ].*)?$/
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?:[T ].*)?$/
const MONTH_NAME =
  /^(?:(?<month>\p{L}{3,9})\.? (?<day>\d{1,2}),?|(?<day2>\d{1,2})[- ](?<month2>\p{L}{3,9})\.?)[- ,]+(?<year>\d{4})$/u
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const DAY_MS = 86_400_000

export function createOrderEvidence() {
  let [hasMonthFirst, hasDayFirst, hasOpen] = [false, false, false]
  return {
    see(text: string): void {
      const match = YEAR_LAST.exec(text.trim())
      if (!match) return
      if (Number(match[3]) > 12) hasMonthFirst = true
      else if (Number(match[1]) > 12) hasDayFirst = true
      else hasOpen = true
    },
    isNeeded: () => hasOpen && !hasMonthFirst && !hasDayFirst,
    order(): DateOrder {
      if (hasMonthFirst === hasDayFirst) return null
      return hasMonthFirst ? 'month first' : 'day first'
    },
  }
}

/**
 * Formats: `2026-01-02`, `20260102`, `Jan 2, 2026`, `2-Jan-2026`, and `01/02/2026` if the order is
 * known.
 */
export function readDay(text: string, order: DateOrder): DayResult {
  if (text === '') return { reason: 'has no date' }
  const yearFirst = YEAR_FIRST.exec(text)
  if (yearFirst) return toDay(yearFirst[1], yearFirst[3], yearFirst[4])
  const yearLast = YEAR_LAST.exec(text)
  if (yearLast) {
    const [, first, , second, year] = yearLast
    const own = Number(second) > 12 ? 'month first' : Number(first) > 12 ? 'day first' : order
    if (own === null) {
      return { reason: `has a date that could be month/day or day/month: use YYYY-MM-DD` }
    }
    return own === 'month first' ? toDay(year, first, second) : toDay(year, second, first)
  }
  const groups = MONTH_NAME.exec(text)?.groups
  const name = (groups?.month ?? groups?.month2 ?? '').toLowerCase()
  const month = MONTHS.findIndex((one) => name.startsWith(one)) + 1
  if (month > 0) return toDay(groups?.year, String(month), groups?.day ?? groups?.day2)
  return { reason: 'has a date that is not in the form YYYY-MM-DD' }
}

function toDay(year = '', month = '', day = ''): DayResult {
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day))
  const date = new Date(at)
  const isReal = date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day)
  if (!isReal) return { reason: 'has a date that does not exist' }
  return at < 0 ? { reason: 'has a date before 1970' } : { day: at / DAY_MS }
}
