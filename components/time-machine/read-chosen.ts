import { fromClock } from '#components/format/zoned.ts'
import { parseInstant } from '#lib/contract/instant-text.ts'
import { LAST_SECOND } from '#lib/contract/rating-fields.ts'
import { toEndOfDay } from './time-steps.ts'

/** A day (`2024-08-02`) and a time of it (`14:30`; '' is its end) as two fields give them, by the clock of a zone. */
type Chosen = { day: string; time: string; zone: string }

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The instant (seconds since 1970) that was chosen, or what is wrong with it. */
export function readChosen({ day, time, zone }: Chosen): { at: number } | { problem: string } {
  if (day === '') return { problem: 'Choose a day.' }
  const midnight = DAY.test(day) ? parseInstant(day) : null
  if (midnight === null) return { problem: 'Days go from 1970-01-01 to 9999-12-31.' }
  if (time === '') return { at: toEndOfDay(day, zone) }
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  const at = fromClock(midnight + hours * 3600 + minutes * 60 + seconds, zone)
  return { at: Math.min(Math.max(at, 0), LAST_SECOND) }
}
