import type { Moves } from '#lib/contract/answers/symbols.ts'
import { MOVES, type MoveKind } from '#lib/contract/moves.ts'
import { isActive, millionths, nameOf, type OracleRow } from './oracle.ts'

type Rational = readonly [bigint, bigint]

const add = ([a, b]: Rational, [c, d]: Rational): Rational => [a * d + c * b, b * d]
const negate = ([a, b]: Rational): Rational => [-a, b]
const NONE: Rational = [0n, 1n]

/** In millionths, rounded half away from zero. */
function toText(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(7, '0')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`
}

function round([a, b]: Rational): bigint {
  const size = (2n * (a < 0n ? -a : a) + b) / (2n * b)
  return a < 0n ? -size : size
}

function floor([a, b]: Rational): bigint {
  const cut = a / b
  return a < 0n && cut * b !== a ? cut - 1n : cut
}

type Read = (row: OracleRow) => bigint

const READS: Record<'rating' | 'prediction', Read> = {
  rating: (row) => BigInt(row.rating) * 1_000_000n,
  prediction: (row) => millionths(row.prediction),
}

const meanOf = (rows: Iterable<OracleRow>, read: Read): Rational => {
  const all = [...rows]
  return [all.reduce((sum, row) => sum + read(row), 0n), BigInt(all.length)]
}

type Event = {
  t: number
  phase: number
  id: number
  run: (active: Map<number, OracleRow>) => MoveKind
}

function listEvents(own: readonly OracleRow[]): Event[] {
  const lived = own.filter((row) => row.effectiveUntil > row.created_at)
  const begins = lived.map((row): Event => {
    const { replaced } = row
    return {
      t: row.created_at,
      phase: 1,
      id: row.id,
      run(active) {
        active.set(row.user_id, row)
        if (replaced === null) return row.previous_rating === null ? 'initiated' : 'returned'
        if (replaced === row.rating) return 'reiterated'
        return replaced < row.rating ? 'upgraded' : 'downgraded'
      },
    }
  })
  const ends = lived
    .filter((row) => Number.isFinite(row.effectiveUntil) && !row.isReplaced)
    .map((row): Event => {
      const hasVanished = row.vanished_at === row.effectiveUntil
      const hasExpired = row.expired_at === row.effectiveUntil
      return {
        t: row.effectiveUntil,
        phase: 0,
        id: row.id,
        run(active) {
          active.delete(row.user_id)
          return hasVanished && !hasExpired ? 'vanished' : 'lapsed'
        },
      }
    })
  return [...begins, ...ends].sort((a, b) => a.t - b.t || a.phase - b.phase || a.id - b.id)
}

type Walked = {
  events: Map<MoveKind, number>
  parts: Map<MoveKind, Rational>
  from: Rational | null
  to: Rational | null
}

function walk(
  own: readonly OracleRow[],
  { from, to }: { from: number; to: number },
  read: Read,
): Walked {
  const active = new Map<number, OracleRow>()
  const walked: Walked = { events: new Map(), parts: new Map(), from: null, to: null }
  let mean: Rational | null = null
  for (const { t, run } of listEvents(own)) {
    if (t > to) break
    const before: Rational | null = mean
    const kind = run(active)
    if (active.size > 0) mean = meanOf(active.values(), read)
    if (t <= from) {
      walked.from = mean
      continue
    }
    walked.events.set(kind, (walked.events.get(kind) ?? 0) + 1)
    if (mean === null || before === null) continue
    const step = add(mean, negate(before))
    walked.parts.set(kind, add(walked.parts.get(kind) ?? NONE, step))
  }
  walked.to = mean
  return walked
}

function toRounded({ events, parts, from, to }: Walked) {
  const kinds = MOVES.filter((kind) => events.has(kind))
  if (from === null || to === null) return { change: null, of: kinds.map(() => null) }
  const change = round(add(to, negate(from)))
  const sums = kinds.map((kind) => parts.get(kind) ?? NONE)
  const floors = sums.map(floor)
  let missing = change - floors.reduce((all, one) => all + one, 0n)
  const rests = sums.map((sum, index) => add(sum, [-(floors[index] ?? 0n), 1n]))
  const order = kinds
    .map((_, index) => index)
    .sort((x, y) => {
      const [a, b] = rests[x] ?? NONE
      const [c, d] = rests[y] ?? NONE
      return a * d === c * b ? x - y : a * d < c * b ? 1 : -1
    })
  const of = floors.map(toText)
  for (const index of order) {
    if (missing <= 0n) break
    of[index] = toText((floors[index] ?? 0n) + 1n)
    missing -= 1n
  }
  return { change: toText(change), of }
}

const toMeanText = (mean: Rational | null) => (mean === null ? null : toText(round(mean)))

export function movesOf(
  own: readonly OracleRow[],
  span: { from: number; to: number },
): Moves | null {
  if (!own.some((row) => row.created_at <= span.to)) return null
  const rating = walk(own, span, READS.rating)
  const prediction = walk(own, span, READS.prediction)
  const [byRating, byPrediction] = [toRounded(rating), toRounded(prediction)]
  const countAt = (at: number) => own.filter((row) => isActive(row, at)).length
  return {
    symbol: nameOf(own.filter((row) => row.created_at <= span.to)),
    ...span,
    consensus_from: toMeanText(rating.from),
    consensus_to: toMeanText(rating.to),
    change: byRating.change,
    prediction_from: toMeanText(prediction.from),
    prediction_to: toMeanText(prediction.to),
    prediction_change: byPrediction.change,
    active_from: countAt(span.from),
    active_to: countAt(span.to),
    parts: MOVES.filter((kind) => rating.events.has(kind)).map((kind, index) => ({
      kind,
      events: rating.events.get(kind) ?? 0,
      change: byRating.of[index] ?? null,
      prediction_change: byPrediction.of[index] ?? null,
    })),
  }
}
