/** A value that a reader may mean, and what it is called. */
export type Hint = { value: string; label: string }

const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Beginnings for `from`, `to` and `asof`: days of UTC, whatever the zone of the page. `now` is in seconds since 1970. */
export function toDayHints(now: number): Hint[] {
  const [year, month, day] = toParts(now)
  const at = (label: string, ms: number): Hint => ({ label, value: toDay(ms) })
  return [
    at('today', Date.UTC(year, month, day)),
    at('yesterday', Date.UTC(year, month, day - 1)),
    at('7 days ago', Date.UTC(year, month, day - 7)),
    at('30 days ago', Date.UTC(year, month, day - 30)),
    at('first day of this month', Date.UTC(year, month, 1)),
    at('first day of this year', Date.UTC(year, 0, 1)),
    at('first day of last year', Date.UTC(year - 1, 0, 1)),
  ]
}

/** Days, months and years of UTC for `created`, which look back, and `expires`, which look ahead. */
export function toPeriodHints(now: number, isAhead: boolean): Hint[] {
  const [year, month, day] = toParts(now)
  const step = isAhead ? 1 : -1
  const word = isAhead ? 'next' : 'last'
  const other = isAhead ? 'tomorrow' : 'yesterday'
  const at = (label: string, ms: number, length: number): Hint => ({
    label,
    value: toDay(ms).slice(0, length),
  })
  return [
    ...(isAhead ? [{ label: 'no time ends it', value: 'never' }] : []),
    at('today', Date.UTC(year, month, day), 10),
    at(other, Date.UTC(year, month, day + step), 10),
    at('this month', Date.UTC(year, month, 1), 7),
    at(`${word} month`, Date.UTC(year, month + step, 1), 7),
    at('this year', Date.UTC(year, 0, 1), 4),
    at(`${word} year`, Date.UTC(year + step, 0, 1), 4),
  ]
}

function toParts(now: number): [year: number, month: number, day: number] {
  const date = new Date(now * 1000)
  return [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
}
