import { parseInstant, toInstantText } from './instant-text.ts'

const DAY_SECONDS = 86_400

/**
 * The instant that everything is judged at, as people write it in a URL. It is read like any other instant, but that a
 * day is its last second (UTC): who asks how things stood on a day means everything of that day.
 */
export function parseAsof(text: string): number | null {
  const instant = parseInstant(text)
  return instant !== null && isDay(text) ? instant + DAY_SECONDS - 1 : instant
}

/** The shortest text that is read as this instant: the day at its last second, else a UTC date-time. */
export function toAsofParameter(seconds: number): string {
  const midnight = seconds - (seconds % DAY_SECONDS)
  if (seconds === midnight) return `${toInstantText(midnight)}T00:00:00Z`
  return seconds === midnight + DAY_SECONDS - 1 ? toInstantText(midnight) : toInstantText(seconds)
}

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text)
