import { type TimeTick, toTimeTicks } from '#components/charts/time-ticks.ts'
import { fromClock, toClock } from './zoned.ts'

/** The ticks of a time axis at the days, months or years of a zone. `from` and `to` are seconds since 1970. */
export const toZonedTicks = (
  { from, to }: { from: number; to: number },
  maximum: number,
  zone: string,
): TimeTick[] =>
  toTimeTicks(toClock(from, zone), toClock(to, zone), maximum)
    .map(({ at, label }) => ({ at: fromClock(at, zone), label }))
    .filter(({ at }) => at >= from && at <= to)
