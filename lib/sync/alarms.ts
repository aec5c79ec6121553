import type { Alarm, AlarmKind } from '#lib/contract/answers/alarms.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import { countOf } from './count-of.ts'
import { type EditionFacts, selectEditionAlarms } from './edition-alarms.ts'

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400
const WEEK = 7 * DAY

const UNREACHABLE_SECONDS = 15 * MINUTE
const SILENT_SECONDS = 6 * HOUR
const SILENT_GAPS = 3
/** So many ratings say how often the community rates. */
const SILENT_RATINGS = 20
/** Silence means something only where somebody has listened, at least so many follows ago. */
const CHECKS_MISSED = 3
const SKEW_SECONDS = 5 * MINUTE

/** What the alarms are judged by: contents and instants, never that an answer was 200. */
export type AlarmFacts = {
  /** When the key was first refused; null where it is accepted. */
  refusedAt: number | null
  /** Since when every attempt has failed, and why the last one did; null where the last one succeeded. */
  failing: { since: number; reason: string; isDisk: boolean; isService: boolean } | null
  /** When the newest pages were last read to where they join; null before. */
  checkedAt: number | null
  /** Seconds from one follow to the next; null where there is none to be this month. */
  followSeconds: number | null
  budget: { limit: number | null; left: number; reserved: number; runsOutAt: number | null }
  editions: Record<DumpKind, EditionFacts>
  postingRate: { newestCreatedAt: number; ratings: number; longestGapSeconds: number } | null
  /** Whether new ratings are to be expected at all. */
  expectsNew: boolean
  /** What the last reconciliation marked as vanished, and when; null where it marked none. */
  vanished: { at: number; ratings: number } | null
  clockSkewSeconds: number | null
  /** When the archive file was set aside and filled again; null where it never was. */
  rebuiltAt: number | null
  /** Since when the sync has given no sign of life; null where it does. */
  stalledAt: number | null
}

/** What is wrong at `now` (seconds since 1970), at most one of each kind. `since` as far as the facts tell. */
export function selectAlarms(facts: AlarmFacts, now: number): Alarm[] {
  const alarms: Alarm[] = []
  const raise = (kind: AlarmKind, since: number, message: string) =>
    alarms.push({ kind, since: Math.min(since, now), message })

  raiseOfService(facts, now, raise)
  raiseOfMachine(facts, now, raise)
  for (const { kind, since, message } of selectEditionAlarms(facts.editions, now)) {
    raise(kind, since, message)
  }
  return alarms
}

type Raise = (kind: AlarmKind, since: number, message: string) => void

function raiseOfService(facts: AlarmFacts, now: number, raise: Raise): void {
  const { refusedAt, failing, postingRate, vanished, clockSkewSeconds: skew } = facts
  if (refusedAt !== null) {
    raise('refused', refusedAt, 'The service does not accept the key: nothing new is fetched.')
  }
  const isDown = failing?.isService && now - failing.since > UNREACHABLE_SECONDS
  if (isDown && refusedAt === null) {
    raise('unreachable', failing.since, `Nothing can be had of the service: ${failing.reason}`)
  }
  if (
    postingRate &&
    facts.expectsNew &&
    isSilent(postingRate, now) &&
    isCheckedLately(facts, now)
  ) {
    const hours = Math.round(postingRate.longestGapSeconds / HOUR)
    const usual = hours < 1 ? 'not even an hour' : hours === 1 ? 'an hour' : `${hours} hours`
    const message = `The service answers, but lists no new rating. The longest silence of the four weeks before was ${usual}.`
    raise('silent', postingRate.newestCreatedAt, message)
  }
  if (vanished && now - vanished.at < WEEK) {
    const message = `The last dump no longer lists ${countOf(vanished.ratings, 'rating')} that it should hold. They are kept, and marked.`
    raise('vanished', vanished.at, message)
  }
  if (skew !== null && Math.abs(skew) > SKEW_SECONDS) {
    const way = skew > 0 ? 'ahead of' : 'behind'
    const minutes = Math.round(Math.abs(skew) / MINUTE)
    raise('clock', now, `The clock of the service is ${minutes} minutes ${way} this machine's.`)
  }
}

function raiseOfMachine(facts: AlarmFacts, now: number, raise: Raise): void {
  const { failing, budget, rebuiltAt, stalledAt } = facts
  if (failing?.isDisk) {
    raise('disk', failing.since, 'The disk is full: what is held is served, nothing new comes in.')
  }
  if (budget.limit !== null && budget.left < 1) {
    const kept = budget.reserved > 0 ? ` but for ${budget.reserved} kept for the weekly dumps` : ''
    raise('budget', now, `The requests of this month are spent${kept}.`)
  } else if (budget.runsOutAt !== null) {
    raise('budget', now, 'At this pace the requests of this month are gone before it ends.')
  }
  if (rebuiltAt !== null && now - rebuiltAt < WEEK) {
    const message = 'The archive file was damaged. It was set aside, and the archive filled again.'
    raise('archive_rebuilt', rebuiltAt, message)
  }
  if (stalledAt !== null) {
    raise('stalled', stalledAt, 'The sync gives no sign of life: it is begun anew.')
  }
}

function isSilent(postingRate: NonNullable<AlarmFacts['postingRate']>, now: number): boolean {
  const { newestCreatedAt, ratings, longestGapSeconds } = postingRate
  if (ratings < SILENT_RATINGS) return false
  return now - newestCreatedAt > Math.max(SILENT_SECONDS, SILENT_GAPS * longestGapSeconds)
}

function isCheckedLately({ checkedAt, followSeconds }: AlarmFacts, now: number): boolean {
  if (checkedAt === null) return false
  return now - checkedAt <= Math.max(HOUR, CHECKS_MISSED * (followSeconds ?? DAY))
}
