/** The zone that needs no table of zones: what is not chosen is written in it. */
const UTC = 'UTC'
/** The zone of the weekly refresh. */
export const EASTERN = 'America/New_York'

const DAY = 86_400
const CLOCK_FORMATS_MAX = 50

const clockFormats = new Map<string, Intl.DateTimeFormat>()

/** A format that prints numbers only, in the order month, day, year, hour, minute, second. Making one is slow. */
function clockFormat(zone: string): Intl.DateTimeFormat {
  const known = clockFormats.get(zone)
  if (known) return known
  // Zones come from addresses, in any spelling: what is kept of them must not grow without end.
  if (clockFormats.size >= CLOCK_FORMATS_MAX) clockFormats.clear()
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

/**
 * What the clock of a zone shows at an instant (seconds since 1970), as the seconds at which a clock of UTC would show
 * the same. `zone` is a name of the IANA database.
 */
export function toClock(seconds: number, zone: string): number {
  if (zone === UTC) return seconds
  const written = clockFormat(zone).format(seconds * 1000)
  const [month = 0, day = 0, year = 0, ...rest] = (written.match(/\d+/g) ?? []).map(Number)
  const [hour = 0, minute = 0, second = 0] = rest
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000
}

/**
 * The first instant at which the clock of a zone shows `clock` (as {@link toClock} gives it). Where the zone leaves that
 * time out, the first instant behind what is left out.
 */
export function fromClock(clock: number, zone: string): number {
  if (zone === UTC) return clock
  // No zone is a day off UTC, so what holds there is among what holds a day before, in between and a day behind.
  const offsets = [clock - DAY, clock, clock + DAY].map((at) => toClock(at, zone) - at)
  const instants = offsets.map((offset) => clock - offset).sort((a, b) => a - b)
  const exact = instants.find((at) => toClock(at, zone) === clock)
  if (exact !== undefined) return exact
  // The clock jumps over that time once between the earliest and the latest of them.
  let [before, behind] = [(instants[0] ?? clock) - 1, instants.at(-1) ?? clock]
  while (behind - before > 1) {
    const middle = Math.floor((before + behind) / 2)
    if (toClock(middle, zone) < clock) before = middle
    else behind = middle
  }
  return behind
}

/** An instant on the clock of a zone: `2026-11-20 14:32`, or to the second. */
export function toZonedText(
  seconds: number,
  zone: string,
  precision: 'minute' | 'second' = 'minute',
): string {
  const iso = toClockIso(toClock(seconds, zone))
  return iso.slice(0, precision === 'minute' ? -8 : -5).replace('T', ' ')
}

/** The time of day: `14:32`. */
export const toZonedTime = (seconds: number, zone: string): string =>
  toZonedText(seconds, zone).slice(-5)

/** The day of an instant in a zone: `2026-11-20`. */
export const toZonedDay = (seconds: number, zone: string): string =>
  toClockIso(toClock(seconds, zone)).slice(0, -14)

/** The seconds since 1970 at which a day (`2026-11-20`) begins in a zone, be that at midnight or behind a gap. */
export const zonedMidnight = (day: string, zone: string): number =>
  fromClock(Date.parse(`${day.length > 10 ? '+0' : ''}${day}T00:00:00Z`) / 1000, zone)

/** Does a day begin at that instant? */
export const isZonedMidnight = (seconds: number, zone: string): boolean =>
  fromClock(toDayStart(toClock(seconds, zone)), zone) === seconds

/** The beginning of a day in a zone that lies nearest to an instant. */
export function toNearestMidnight(seconds: number, zone: string): number {
  const start = toDayStart(toClock(seconds, zone))
  const [begin, end] = [fromClock(start, zone), fromClock(start + DAY, zone)]
  return seconds - begin < end - seconds ? begin : end
}

const toDayStart = (clock: number) => Math.floor(clock / DAY) * DAY

/** `2026-11-20T14:32:59.000Z`; the last evening of 9999 is in the year 10000 further east. */
const toClockIso = (clock: number) => new Date(clock * 1000).toISOString().replace(/^\+0/, '')
