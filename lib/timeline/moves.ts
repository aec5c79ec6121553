import type { Sweep } from '#lib/async/sweep.ts'
import type { Moves } from '#lib/contract/answers/symbols.ts'
import { MOVES, type MoveKind } from '#lib/contract/moves.ts'
import {
  ExactSum,
  floorQuotient,
  roundQuotient,
  toDecimalText,
  toMean,
  toMillionthsMean,
} from '#lib/statistics/exact.ts'
import { DAY_SECONDS } from './buckets.ts'
import { toGroups } from './groups.ts'
import {
  countPosted,
  joinParts,
  spellingAt,
  type Timeline,
  visitActive,
  wasActive,
} from './timeline.ts'

/** Seconds since 1970; excludes `from`, includes `to`. */
export type Span = { from: number; to: number }

/** If no rating is active, the mean is that of the last one that was. `among` 0 means no mean. */
type ConsensusState = { active: number; among: number; ratings: number; high: number; low: number }

const NO_MEAN: ConsensusState = { active: 0, among: 0, ratings: 0, high: 0, low: 0 }

export function* sweepMoves(timeline: Timeline, span: Span, at: number): Sweep<Moves | null> {
  const symbol = spellingAt(timeline, at)
  if (symbol === null) return null
  const start = standingAt(timeline, span.from)
  const end = standingAt(timeline, span.to)
  const lines = yield* walk(timeline, span, start)
  return { symbol, ...span, ...toMoves(lines, { start, end }) }
}

function standingAt(timeline: Timeline, at: number): ConsensusState {
  const active = { ...NO_MEAN }
  visitActive(timeline, at, (index) => addTo(active, timeline, index, 1))
  return active.among > 0 ? { ...active, active: active.among } : lastStandingAt(timeline, at)
}

/** Of ratings that end in the same second, the one with the highest id ends last. */
function lastStandingAt(timeline: Timeline, at: number): ConsensusState {
  const { id, until } = timeline
  const posted = countPosted(timeline, at)
  let last = -1
  for (let index = 0; index < posted; index += 1) {
    if (!wasActive(timeline, index)) continue
    const later = (until[index] ?? 0) - (until[last] ?? Number.NEGATIVE_INFINITY)
    if (later > 0 || (later === 0 && (id[index] ?? 0) > (id[last] ?? 0))) last = index
  }
  if (last < 0) return NO_MEAN
  const standing = { ...NO_MEAN }
  addTo(standing, timeline, last, 1)
  return standing
}

function addTo(state: ConsensusState, timeline: Timeline, index: number, sign: 1 | -1): void {
  const code = timeline.prediction[index] ?? 0
  state.among += sign
  state.ratings += sign * (timeline.rating[index] ?? 0)
  state.high += sign * (timeline.predictions.high[code] ?? 0)
  state.low += sign * (timeline.predictions.low[code] ?? 0)
}

type Line = { ratings: ExactSum; high: ExactSum; low: ExactSum }
type KindLines = { events: number; byAmong: Map<number, Line> }

/** An event that leaves no active rating keeps the mean; the next event starts from it. */
function* walk(
  timeline: Timeline,
  span: Span,
  start: ConsensusState,
): Sweep<ReadonlyMap<MoveKind, KindLines>> {
  const { created, until, vanished } = timeline
  const lines = new Map<MoveKind, KindLines>()
  const now = start.active > 0 ? { ...start } : { ...NO_MEAN }
  let before = start
  const visit = (kind: MoveKind) => {
    const own = lines.get(kind) ?? { events: 0, byAmong: new Map<number, Line>() }
    lines.set(kind, own)
    own.events += 1
    if (now.among === 0) return
    addMean(own, now, 1)
    if (before.among > 0) addMean(own, before, -1)
    before = { ...now }
  }
  const end = (index: number) => {
    addTo(now, timeline, index, -1)
    visit(vanished[index] === 1 ? 'vanished' : 'lapsed')
  }
  const begin = (index: number) => {
    if (!wasActive(timeline, index)) return
    const replaced = replacedBy(timeline, index)
    if (replaced >= 0) addTo(now, timeline, replaced, -1)
    addTo(now, timeline, index, 1)
    visit(kindOf(timeline, index, replaced))
  }
  let next = countPosted(timeline, span.from)
  const stop = countPosted(timeline, span.to)
  let events = 0
  for (const ends of endsByDay(timeline, span)) {
    for (const index of ends) {
      // Within one second, ratings end before others begin.
      for (; next < stop && (created[next] ?? 0) < (until[index] ?? 0); next += 1) begin(next)
      end(index)
    }
    events += ends.length
    if (events > EVENTS_MAX) {
      events = 0
      yield
    }
  }
  for (; next < stop; next += 1) begin(next)
  return lines
}

const EVENTS_MAX = 16_384

function addMean({ byAmong }: KindLines, state: ConsensusState, sign: 1 | -1): void {
  let line = byAmong.get(state.among)
  if (!line) {
    line = { ratings: new ExactSum(), high: new ExactSum(), low: new ExactSum() }
    byAmong.set(state.among, line)
  }
  line.ratings.add(sign * state.ratings)
  line.high.add(sign * state.high)
  line.low.add(sign * state.low)
}

function* endsByDay(timeline: Timeline, { from, to }: Span): Generator<number[]> {
  const { id, created, until } = timeline
  const posted = countPosted(timeline, to)
  const firstDay = Math.floor(Math.max(from, created[0] ?? to) / DAY_SECONDS)
  const days = Math.max(0, Math.floor(to / DAY_SECONDS) - firstDay + 1)
  const places = new Int32Array(posted).fill(days)
  for (let index = 0; index < posted; index += 1) {
    const end = until[index] ?? 0
    const isIn = end > from && end <= to && wasActive(timeline, index)
    if (isIn && !isReplaced(timeline, index))
      places[index] = Math.floor(end / DAY_SECONDS) - firstDay
  }
  const groups = toGroups(places, days)
  for (let day = 0; day < days; day += 1) {
    const ends = [...groups.of(day)]
    if (ends.length === 0) continue
    yield ends.sort((a, b) => (until[a] ?? 0) - (until[b] ?? 0) || (id[a] ?? 0) - (id[b] ?? 0))
  }
}

/** The user's next rating that was ever active begins in the second in which this one ended. */
function isReplaced(timeline: Timeline, index: number): boolean {
  const { created, until, next } = timeline
  let follower = next[index] ?? -1
  while (follower >= 0 && !wasActive(timeline, follower)) follower = next[follower] ?? -1
  return follower >= 0 && created[follower] === until[index]
}

function replacedBy(timeline: Timeline, index: number): number {
  const { created, until, previous } = timeline
  let before = previous[index] ?? -1
  while (before >= 0 && !wasActive(timeline, before)) before = previous[before] ?? -1
  return before >= 0 && until[before] === created[index] ? before : -1
}

function kindOf({ rating, previous }: Timeline, index: number, replaced: number): MoveKind {
  if (replaced < 0) return previous[index] === -1 ? 'initiated' : 'returned'
  const step = (rating[index] ?? 0) - (rating[replaced] ?? 0)
  return step > 0 ? 'upgraded' : step < 0 ? 'downgraded' : 'reiterated'
}

const PLACES = 6

function toMoves(
  lines: ReadonlyMap<MoveKind, KindLines>,
  { start, end }: { start: ConsensusState; end: ConsensusState },
): Omit<Moves, 'symbol' | keyof Span> {
  const kinds = MOVES.flatMap((kind) => {
    const own = lines.get(kind)
    return own ? [{ kind, ...own }] : []
  })
  const split = (read: (line: Line) => bigint) =>
    start.among === 0
      ? null
      : toParts(
          kinds.map(({ byAmong }) =>
            [...byAmong].map(
              ([among, line]): Fraction => ({ dividend: read(line), divisor: among }),
            ),
          ),
        )
  const ratings = split((line) => line.ratings.total * 1_000_000n)
  const predictions = split(({ high, low }) => joinParts(high.total, low.total))
  return {
    active_from: start.active,
    active_to: end.active,
    consensus_from: toMean(start.ratings, start.among, PLACES),
    consensus_to: toMean(end.ratings, end.among, PLACES),
    change: ratings?.whole ?? null,
    prediction_from: toMillionthsMean(joinParts(start.high, start.low), start.among, PLACES),
    prediction_to: toMillionthsMean(joinParts(end.high, end.low), end.among, PLACES),
    prediction_change: predictions?.whole ?? null,
    parts: kinds.map(({ kind, events }, index) => ({
      kind,
      events,
      change: ratings?.parts[index] ?? null,
      prediction_change: predictions?.parts[index] ?? null,
    })),
  }
}

/** `dividend` is in millionths; `divisor` is above 0. */
export type Fraction = { dividend: bigint; divisor: number }

/**
 * Returns exact sums as decimal text of 6 places. Group sums are rounded by largest remainder so
 * that they add up to the total.
 */
export function toParts(groups: readonly (readonly Fraction[])[]): {
  whole: string
  parts: string[]
} {
  const divisor = leastCommonMultiple(groups.flat().map((fraction) => fraction.divisor))
  const sums = groups.map((group) =>
    group.reduce((sum, one) => sum + one.dividend * (divisor / BigInt(one.divisor)), 0n),
  )
  const whole = roundQuotient(
    sums.reduce((all, sum) => all + sum, 0n),
    divisor,
  )
  const cut = sums.map((sum) => floorQuotient(sum, divisor))
  const missing = Number(whole - cut.reduce((all, units) => all + units, 0n))
  const lost = sums.map((sum, index) => ({ index, rest: sum - (cut[index] ?? 0n) * divisor }))
  lost.sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest < b.rest ? 1 : -1))
  const raised = new Set(lost.slice(0, missing).map(({ index }) => index))
  return {
    whole: toText(whole),
    parts: cut.map((units, index) => toText(raised.has(index) ? units + 1n : units)),
  }
}

const toText = (units: bigint) => toDecimalText({ units, places: 6 })

const leastCommonMultiple = (divisors: readonly number[]): bigint =>
  [...new Set(divisors)].reduce((all, one) => {
    const shared = greatestCommonDivisor(one, Number(all % BigInt(one)))
    return all * BigInt(one / shared)
  }, 1n)

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
