import { toClock } from '#components/format/zoned.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE

/** How far a zone is ahead of UTC at an instant, as RFC 3339 writes it: `Z`, `+01:00`, `-03:30`. */
export function toOffsetText(seconds: number, zone: string): string {
  const offset = toClock(seconds, zone) - seconds
  if (offset === 0) return 'Z'
  const size = Math.abs(offset)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const rest = size % MINUTE === 0 ? '' : `:${two(size % MINUTE)}`
  return `${offset < 0 ? '-' : '+'}${two(size / HOUR)}:${two((size % HOUR) / MINUTE)}${rest}`
}
