import type { Alarm } from '#lib/contract/answers/alarms.ts'
import { DUMP_KINDS, type DumpKind } from '#lib/contract/weekly-clock.ts'

/** How long after its Sunday a dump is late. */
const LATE_SECONDS = 6 * 3600
/** Editions in a row that each hold fewer rows than the one before. */
const FALLS = 3

/** What is known of one dump. Instants in seconds since 1970. */
export type EditionFacts = {
  /** When the service made the one of this week. */
  dueAt: number
  /** Whether it is here, be it aside. */
  isHere: boolean
  /** Whether none was ever had, since the service has none or was not asked yet. */
  isUnknown: boolean
  /** Whether it is left out on purpose, for want of requests. */
  isSpared: boolean
  /** Whether its bytes are those of the one before. */
  isUnchanged: boolean
  /** Ratings held that were posted before it was made and that it lacks. */
  lacks: number
  /** Why one is aside; null where none is. */
  heldBack: string | null
  /** Rows of those kept, newest first. */
  rows: readonly number[]
}

/** What is wrong with the weekly dumps at `now` (seconds since 1970): one alarm of a kind, for both dumps. */
export function selectEditionAlarms(
  editions: Record<DumpKind, EditionFacts>,
  now: number,
): Alarm[] {
  const facts = DUMP_KINDS.map((kind) => ({ kind, ...editions[kind] }))
  const alarms: Alarm[] = []
  const raise = (kind: Alarm['kind'], of: { kind: DumpKind; dueAt: number }[], message: string) => {
    const [first] = of
    if (first) alarms.push({ kind, since: first.dueAt, message: message.replace('%', toNames(of)) })
  }

  const late = facts.filter((one) => isLate(one, now))
  const since = late.map((one) => ({ ...one, dueAt: one.dueAt + LATE_SECONDS }))
  raise('edition_late', since, 'The % of this week could not be had, hours after it was due.')
  raise(
    'edition_unchanged',
    facts.filter(({ isHere, isUnchanged }) => isHere && isUnchanged),
    'The % of this week is, byte by byte, the one of the week before. It is asked for again.',
  )
  const [posts] = facts
  if (posts?.isHere && !posts.isUnchanged && posts.lacks > 0) {
    const what = posts.lacks === 1 ? 'a rating' : `${posts.lacks} ratings`
    const message = `The % of this week lacks ${what} posted before it was made. It is asked for again.`
    raise('edition_unchanged', [posts], message)
  }
  const heldBack = facts.filter((one) => one.heldBack !== null)
  raise(
    'edition_aside',
    heldBack,
    `The % that came last is set aside: ${heldBack[0]?.heldBack ?? ''}`,
  )
  const falling = facts.filter(({ rows }) => isFalling(rows))
  raise(
    'falling',
    falling,
    'Each of the last editions of the % holds fewer rows than the one before.',
  )
  return alarms
}

const toNames = (of: readonly { kind: DumpKind }[]) =>
  `${of.map(({ kind }) => kind).join(' and ')} ${of.length === 1 ? 'dump' : 'dumps'}`

const isLate = (one: EditionFacts, now: number) =>
  !one.isHere &&
  !one.isUnknown &&
  !one.isSpared &&
  one.heldBack === null &&
  now > one.dueAt + LATE_SECONDS

/** `rows` newest first. */
const isFalling = (rows: readonly number[]) =>
  rows.length > FALLS &&
  rows.slice(0, FALLS).every((number, index) => number < (rows[index + 1] ?? number))
