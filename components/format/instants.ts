const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

const toIso = (seconds: number) => new Date(seconds * 1000).toISOString()

/** UTC, `2026-11-20`. */
export const formatDay = (seconds: number): string => toIso(seconds).slice(0, 10)

/** UTC, `20 Nov 2026`. */
export function formatDate(seconds: number): string {
  const day = new Date(seconds * 1000)
  return `${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]} ${day.getUTCFullYear()}`
}

/** `2026-11-21 04:30:00 UTC` */
export const formatUtc = (seconds: number): string =>
  `${toIso(seconds).slice(0, 19).replace('T', ' ')} UTC`

/** `Sun 15 Nov 2026, 00:00 ET` */
export function formatEdition(edition: string): string {
  const midnight = new Date(`${edition}T00:00:00Z`)
  if (Number.isNaN(midnight.getTime())) return edition
  return `${WEEKDAYS[midnight.getUTCDay()]} ${formatDate(midnight.getTime() / 1000)}, 00:00 ET`
}

/** `1 d 13 h`, `3 min`; `0 min` once passed. */
export function formatCountdown(seconds: number, now: number): string {
  const left = Math.max(0, seconds - now)
  const days = Math.floor(left / DAY)
  const hours = Math.floor((left % DAY) / HOUR)
  const minutes = Math.floor((left % HOUR) / MINUTE)
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`
  return `${minutes} min`
}

const MONTH = 30.436875 * DAY
const YEAR = 12 * MONTH

const UNITS: readonly (readonly [number, string])[] = [
  [YEAR, 'y'],
  [MONTH, 'mo'],
  [DAY, 'd'],
  [HOUR, 'h'],
  [MINUTE, 'min'],
]

/** `2 min ago`, `in 12 d`, `just now`. */
export function formatRelative(seconds: number, now: number): string {
  const distance = Math.abs(seconds - now)
  const unit = UNITS.find(([size]) => distance >= size)
  if (!unit) return seconds > now ? 'in a moment' : 'just now'
  const [size, name] = unit
  const text = `${Math.floor(distance / size)} ${name}`
  return seconds > now ? `in ${text}` : `${text} ago`
}

/** `9 days`, `4 months`; at least `1 day`. */
export function formatAge(seconds: number): string {
  const [size, name] = AGES.find(([least]) => seconds >= 2 * least) ?? AGE_DAY
  const count = Math.max(1, Math.floor(seconds / size))
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

const AGE_DAY = [DAY, 'day'] as const
const AGES = [[YEAR, 'year'], [MONTH, 'month'], AGE_DAY] as const

export const UTC = 'UTC'
const EASTERN = 'America/New_York'

const clockFormats = new Map<string, Intl.DateTimeFormat>()

/** Intl formats are slow to create. */
function clockFormat(zone: string): Intl.DateTimeFormat {
  const known = clockFormats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  clockFormats.set(zone, made)
  return made
}

/** Local wall-clock time as seconds, as if the zone were UTC. */
export function toClock(seconds: number, zone: string): number {
  if (zone === UTC) return seconds
  const written = clockFormat(zone).format(seconds * 1000)
  const [month = 0, day = 0, year = 0, ...rest] = (written.match(/\d+/g) ?? []).map(Number)
  const [hour = 0, minute = 0, second = 0] = rest
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000
}

/** Inverse of {@link toClock}. In a gap, the first instant after it; if ambiguous, the earlier. */
export function fromClock(clock: number, zone: string): number {
  if (zone === UTC) return clock
  const offsets = [clock - DAY, clock, clock + DAY].map((at) => toClock(at, zone) - at)
  const instants = offsets.map((offset) => clock - offset).sort((a, b) => a - b)
  const exact = instants.find((at) => toClock(at, zone) === clock)
  if (exact !== undefined) return exact
  let [before, behind] = [(instants[0] ?? clock) - 1, instants.at(-1) ?? clock]
  while (behind - before > 1) {
    const middle = Math.floor((before + behind) / 2)
    if (toClock(middle, zone) < clock) before = middle
    else behind = middle
  }
  return behind
}

export function toZonedText(
  seconds: number,
  zone: string,
  precision: 'minute' | 'second' = 'minute',
): string {
  const iso = toClockIso(toClock(seconds, zone))
  return iso.slice(0, precision === 'minute' ? -8 : -5).replace('T', ' ')
}

export const toZonedTime = (seconds: number, zone: string): string =>
  toZonedText(seconds, zone).slice(-5)

export const toZonedDay = (seconds: number, zone: string): string =>
  toClockIso(toClock(seconds, zone)).slice(0, -14)

/** Not midnight if a gap skips it. */
export const zonedMidnight = (day: string, zone: string): number =>
  fromClock(Date.parse(`${day.length > 10 ? '+0' : ''}${day}T00:00:00Z`) / 1000, zone)

export const isZonedMidnight = (seconds: number, zone: string): boolean =>
  fromClock(toDayStart(toClock(seconds, zone)), zone) === seconds

export function toNearestMidnight(seconds: number, zone: string): number {
  const start = toDayStart(toClock(seconds, zone))
  const [begin, end] = [fromClock(start, zone), fromClock(start + DAY, zone)]
  return seconds - begin < end - seconds ? begin : end
}

const toDayStart = (clock: number) => Math.floor(clock / DAY) * DAY

/** 9999-12-31 UTC is in the year 10000 further east. */
const toClockIso = (clock: number) => new Date(clock * 1000).toISOString().replace(/^\+0/, '')

/** `2026-11-20 14:32:59 UTC` */
export const toInstantTitle = (seconds: number, zone: string): string =>
  `${toZonedText(seconds, zone, 'second')} ${toZoneName(zone)}`

export const toZoneName = (zone: string): string =>
  zone === EASTERN ? 'ET' : zone.replaceAll('_', ' ')

export const isEndOfDay = (seconds: number, zone: string): boolean =>
  isZonedMidnight(seconds + 1, zone)

/** `2024-08-02` for the last second of a day, else `2024-08-02 14:30`. */
export const toAsofText = (asof: number, zone: string): string =>
  isEndOfDay(asof, zone)
    ? toZonedDay(asof, zone)
    : toZonedText(asof, zone, asof % 60 === 0 ? 'minute' : 'second')

/** In UTC, as the server cannot know the reader's zone. */
export const toTimedTitle = (title: string, asof: number | null): string =>
  asof === null ? title : `${title} as of ${toAsofText(asof, UTC)}`

/** `from` is inclusive, `to` exclusive. */
type Span = { from: number | null; to: number | null }

/** `2021-01-01 to 2021-06-30`. Null if unbounded. */
export function toSpanText({ from, to }: Span, zone: string = UTC): string | null {
  if (from === null && to === null) return null
  if (from === null) return `until ${toEnd(to ?? 0, zone)}`
  if (to === null) return `since ${toReadableInstant(from, zone)}`
  const [beginning, end] = [toReadableInstant(from, zone), toEnd(to, zone)]
  return beginning === end ? `on ${beginning}` : `${beginning} to ${end}`
}

const toEnd = (seconds: number, zone: string) =>
  isZonedMidnight(seconds, zone) ? toZonedDay(seconds - 1, zone) : toReadableInstant(seconds, zone)

const toReadableInstant = (seconds: number, zone: string) =>
  isZonedMidnight(seconds, zone)
    ? toZonedDay(seconds, zone)
    : toZonedText(seconds, zone, seconds % 60 === 0 ? 'minute' : 'second')
