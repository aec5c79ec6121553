const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const MONTH = 30.436875 * DAY
const YEAR = 12 * MONTH

const UNITS: readonly (readonly [number, string])[] = [
  [YEAR, 'y'],
  [MONTH, 'mo'],
  [DAY, 'd'],
  [HOUR, 'h'],
  [MINUTE, 'min'],
]

/** How far an instant is from now, in one unit: `2 min ago`, `in 12 d`, `just now`, `in a moment`. */
export function formatRelative(seconds: number, now: number): string {
  const distance = Math.abs(seconds - now)
  const unit = UNITS.find(([size]) => distance >= size)
  if (!unit) return seconds > now ? 'in a moment' : 'just now'
  const [size, name] = unit
  const text = `${Math.floor(distance / size)} ${name}`
  return seconds > now ? `in ${text}` : `${text} ago`
}
