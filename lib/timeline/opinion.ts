import { pauseAfter, type Sweep } from '#lib/async/sweep.ts'
import type { Counted } from '#lib/contract/answers/envelope.ts'
import { CAUSE_DAYS, CONSENSUS_MIN } from '#lib/contract/answers/limits.ts'
import {
  CAUSES,
  CHANGE_DAYS,
  CLIFF_DAYS,
  type Opinion,
  PENDING_DAYS,
} from '#lib/contract/answers/opinion.ts'
import type { Moves, UnnamedAggregate } from '#lib/contract/answers/symbols.ts'
import type { MoveKind } from '#lib/contract/moves.ts'
import {
  toDecimalText,
  toDeviation,
  toMean,
  toMillionthsMean,
  toRankingBounds,
  toRatio,
  toWilsonLow,
} from '#lib/statistics/exact.ts'
import { DAY_SECONDS } from './buckets.ts'
import { sweepMoves } from './moves.ts'
import { type ActiveSum, activeSumAt, NOTHING_ACTIVE, toChange, toConsensus } from './standing.ts'
import { countPosted, joinParts, spellingAt, type Timeline, visitActive } from './timeline.ts'

export function* sweepOpinion(
  timeline: Timeline,
  at: number,
  labels: Labels,
): Sweep<Opinion | null> {
  const posted = countPosted(timeline, at)
  const symbol = spellingAt(timeline, Number.POSITIVE_INFINITY)
  if (posted === 0 || symbol === null) return null
  const figures = activeFiguresAt(timeline, at)
  const now: ActiveSum = figures.active === 0 ? NOTHING_ACTIVE : figures
  yield* pauseAfter(posted)
  const changes = CHANGE_DAYS.map((days) => {
    const past = activeSumAt(timeline, at - days * DAY_SECONDS)
    return { days, past, change: toChange(past, now) }
  })
  yield* pauseAfter(posted)
  const moves = yield* sweepMoves(timeline, { from: at - CAUSE_DAYS * DAY_SECONDS, to: at }, at)
  if (moves === null) return null
  yield* pauseAfter(posted)
  const pending = leftByDay(timeline, at, now)
  return {
    symbol,
    ratings: posted,
    users: countUsers(timeline, posted),
    first_created_at: timeline.created[0] ?? 0,
    last_created_at: timeline.created[posted - 1] ?? 0,
    last_user_id: timeline.user[posted - 1] ?? 0,
    ...toFigures(figures),
    by_rating: toCounted(figures.byRating, labels.rating),
    by_action: toCounted(figures.byAction, labels.action),
    changes: changes.map(({ days, past, change }) => ({ days, ...toConsensus(past), change })),
    moves,
    causes: toCauses(moves),
    cliff: CLIFF_DAYS.map((days) => {
      const left = pending[days] ?? NOTHING_ACTIVE
      return { days, lapsing: now.active - left.active, ...toConsensus(left) }
    }),
    pending: pending.map((left, days) => ({ t: at + days * DAY_SECONDS, ...toConsensus(left) })),
  }
}

function toCauses({ active_from, active_to, parts }: Moves): Opinion['causes'] {
  if (Math.min(active_from, active_to) < CONSENSUS_MIN) return []
  return CAUSES.flatMap((cause) => {
    const own = parts.filter(({ kind }) => CAUSE_OF[kind] === cause)
    if (own.length === 0) return []
    const count = own.reduce((sum, { events }) => sum + events, 0)
    const millionths = own.reduce((sum, { change }) => sum + Math.round(Number(change) * 1e6), 0)
    return [{ cause, count, effect: toMean(millionths, 1e6, 4) ?? '0.0000', ids: [] }]
  })
}

const CAUSE_OF: Readonly<Record<MoveKind, (typeof CAUSES)[number]>> = {
  initiated: 'initiated',
  returned: 'repeated',
  upgraded: 'upgraded',
  downgraded: 'downgraded',
  reiterated: 'repeated',
  lapsed: 'ended',
  vanished: 'ended',
}

function countUsers({ previous }: Timeline, posted: number): number {
  let users = 0
  for (let index = 0; index < posted; index += 1) if (previous[index] === -1) users += 1
  return users
}

function activeFiguresAt(timeline: Timeline, at: number) {
  const { rating, action, agree, disagree, prediction, predictions } = timeline
  const byRating = new Map<number, number>()
  const byAction = new Map<number, number>()
  const ranks: number[] = []
  let [active, sum, squares, high, low, agreed, disagreed] = [0, 0, 0, 0, 0, 0, 0]
  visitActive(timeline, at, (index) => {
    const code = rating[index] ?? 0
    const rank = prediction[index] ?? 0
    active += 1
    sum += code
    squares += code * code
    high += predictions.high[rank] ?? 0
    low += predictions.low[rank] ?? 0
    agreed += agree[index] ?? 0
    disagreed += disagree[index] ?? 0
    ranks.push(rank)
    countOne(byRating, code)
    countOne(byAction, action[index] ?? 0)
  })
  const sorted = Uint32Array.from(ranks).sort()
  return {
    active,
    sum,
    squares,
    prediction: joinParts(high, low),
    agree: agreed,
    disagree: disagreed,
    byRating,
    byAction,
    predictionAt: (place: number) => {
      const units = predictions.units[sorted[place - 1] ?? -1]
      return units === undefined ? null : toDecimalText({ units, places: 6 })
    },
  }
}

function toFigures(figures: ReturnType<typeof activeFiguresAt>) {
  const { active, sum, squares, prediction, agree, disagree, predictionAt } = figures
  const sums = { count: active, sum, squares }
  const bounds = toRankingBounds(sums)
  return {
    active,
    consensus: toMean(sum, active, 4),
    consensus_low: bounds.low,
    consensus_high: bounds.high,
    dispersion: toDeviation(sums),
    prediction: {
      mean: toMillionthsMean(prediction, active, 4),
      low: predictionAt(1),
      q1: predictionAt(Math.ceil(active / 4)),
      median: predictionAt(Math.ceil(active / 2)),
      q3: predictionAt(Math.ceil((active * 3) / 4)),
      high: predictionAt(active),
    },
    agree,
    disagree,
    agreement_low: toWilsonLow(agree, agree + disagree),
  }
}

/** Considers expiries only: ratings posted after `at` were not known then. */
function leftByDay(timeline: Timeline, at: number, now: ActiveSum): ActiveSum[] {
  const counts = new Float64Array(PENDING_DAYS + 1)
  const sums = new Float64Array(PENDING_DAYS + 1)
  visitActive(timeline, at, (index) => {
    const expires = timeline.expires[index] ?? 0
    const days = Math.ceil((expires - at) / DAY_SECONDS)
    if (expires <= 0 || days > PENDING_DAYS) return
    counts[days] = (counts[days] ?? 0) + 1
    sums[days] = (sums[days] ?? 0) + (timeline.rating[index] ?? 0)
  })
  let [active, sum] = [now.active, now.sum ?? 0]
  return Array.from(counts, (count, days) => {
    active -= count
    sum -= sums[days] ?? 0
    return active === 0 ? NOTHING_ACTIVE : { active, sum }
  })
}

export function aggregateOf(
  timeline: Timeline,
  at: number,
): Omit<UnnamedAggregate, 'day' | 'symbol'> {
  const { active, sum, prediction, byRating, byAction } = activeFiguresAt(timeline, at)
  const rated = (code: number) => String(byRating.get(code) ?? 0)
  const acted = (code: number) => byAction.get(code) ?? 0
  return {
    total: String(active),
    avg_rating: toMean(sum, active, 4),
    avg_prediction: toMillionthsMean(prediction, active, 6),
    r1: rated(1),
    r2: rated(2),
    r3: rated(3),
    r4: rated(4),
    r5: rated(5),
    a1: String(acted(1)),
    a2: String(acted(2)),
    a3: String(acted(3)),
    a4: String(acted(4)),
    a1_ratio: toRatio(acted(1), active),
    a2_ratio: toRatio(acted(2), active),
    a3_ratio: toRatio(acted(3), active),
    a4_ratio: toRatio(acted(4), active),
  }
}

export function summaryOf(timeline: Timeline) {
  const { created, length } = timeline
  return {
    ratings: length,
    users: countUsers(timeline, length),
    firstCreatedAt: created[0] ?? 0,
    lastCreatedAt: created[length - 1] ?? 0,
  }
}

export type Labels = { rating: (code: number) => string; action: (code: number) => string }

function countOne(counts: Map<number, number>, code: number): void {
  counts.set(code, (counts.get(code) ?? 0) + 1)
}

export const toCounted = (
  counts: ReadonlyMap<number, number>,
  label: (code: number) => string,
): Counted[] =>
  [...counts]
    .sort(([a], [b]) => a - b)
    .map(([value, count]) => ({ value, label: label(value), count }))
