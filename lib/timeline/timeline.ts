import { pauseAfter, type Sweep, slicesOf } from '#lib/async/sweep.ts'

/** Ordered by `created`, then `id`. Seconds since 1970. */
type RatingColumns = {
  id: Float64Array
  user: Float64Array
  rating: Int16Array
  action: Int16Array
  created: Float64Array
  /** First second at which the rating is not active; at most `created` if it never was. */
  until: Float64Array
  /** 0: never. */
  expires: Float64Array
  vanished: Uint8Array
  agree: Int32Array
  disagree: Int32Array
}

export type Spelling = { symbol: string; since: number }

export type Timeline = RatingColumns & {
  spellings: readonly Spelling[]
  length: number
  /** Indexes into `predictions`. */
  prediction: Uint32Array
  predictions: Predictions
  /** -1: none. */
  previous: Int32Array
  /** -1: none. */
  next: Int32Array
  bytes: number
}

/**
 * Distinct, ascending, in millionths: `high` · 2³⁰ + `low`, so that sums of each part stay exact.
 */
export type Predictions = { units: BigInt64Array; high: Float64Array; low: Float64Array }

const PART_BITS = 30n
const LOW_MASK = (1n << PART_BITS) - 1n

export const joinParts = (high: number | bigint, low: number | bigint): bigint =>
  (BigInt(high) << PART_BITS) + BigInt(low)

export type RatingChunk = RatingColumns & { length: number; units: BigInt64Array }

const BYTES_PER_RATING = 67
const BYTES_PER_PREDICTION = 24

export function* buildTimeline(
  chunks: readonly RatingChunk[],
  spellings: readonly Spelling[],
): Sweep<Timeline> {
  const { length, units, user, ...columns } = inOrder(joinChunks(chunks))
  yield* pauseAfter(length)
  const { prediction, predictions } = yield* encodePredictions(units)
  yield* pauseAfter(length)
  return {
    ...columns,
    user,
    spellings,
    length,
    prediction,
    predictions,
    ...(yield* linkByUser(user)),
    bytes: length * BYTES_PER_RATING + predictions.units.length * BYTES_PER_PREDICTION,
  }
}

function joinChunks(chunks: readonly RatingChunk[]): RatingChunk {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const joined = emptyChunk(length)
  let at = 0
  for (const chunk of chunks) {
    joined.id.set(chunk.id, at)
    joined.user.set(chunk.user, at)
    joined.rating.set(chunk.rating, at)
    joined.action.set(chunk.action, at)
    joined.created.set(chunk.created, at)
    joined.until.set(chunk.until, at)
    joined.expires.set(chunk.expires, at)
    joined.vanished.set(chunk.vanished, at)
    joined.agree.set(chunk.agree, at)
    joined.disagree.set(chunk.disagree, at)
    joined.units.set(chunk.units, at)
    at += chunk.length
  }
  return joined
}

const emptyChunk = (length: number): RatingChunk => ({
  length,
  id: new Float64Array(length),
  user: new Float64Array(length),
  rating: new Int16Array(length),
  action: new Int16Array(length),
  created: new Float64Array(length),
  until: new Float64Array(length),
  expires: new Float64Array(length),
  vanished: new Uint8Array(length),
  agree: new Int32Array(length),
  disagree: new Int32Array(length),
  units: new BigInt64Array(length),
})

function inOrder(ratings: RatingChunk): RatingChunk {
  const { length, id, created } = ratings
  const compare = (a: number, b: number) =>
    (created[a] ?? 0) - (created[b] ?? 0) || (id[a] ?? 0) - (id[b] ?? 0)
  let sorted = 1
  while (sorted < length && compare(sorted - 1, sorted) < 0) sorted += 1
  if (sorted >= length) return ratings
  return pickRatings(ratings, Array.from({ length }, (_, index) => index).sort(compare))
}

export function pickRatings(ratings: RatingChunk, indexes: readonly number[]): RatingChunk {
  const picked = emptyChunk(indexes.length)
  for (const [place, index] of indexes.entries()) {
    picked.id[place] = ratings.id[index] ?? 0
    picked.user[place] = ratings.user[index] ?? 0
    picked.rating[place] = ratings.rating[index] ?? 0
    picked.action[place] = ratings.action[index] ?? 0
    picked.created[place] = ratings.created[index] ?? 0
    picked.until[place] = ratings.until[index] ?? 0
    picked.expires[place] = ratings.expires[index] ?? 0
    picked.vanished[place] = ratings.vanished[index] ?? 0
    picked.agree[place] = ratings.agree[index] ?? 0
    picked.disagree[place] = ratings.disagree[index] ?? 0
    picked.units[place] = ratings.units[index] ?? 0n
  }
  return picked
}

function* encodePredictions(
  units: BigInt64Array,
): Sweep<Pick<Timeline, 'prediction' | 'predictions'>> {
  const prediction = new Uint32Array(units.length)
  const codes = new Map<bigint, number>()
  for (const [start, stop] of slicesOf(units.length)) {
    for (let index = start; index < stop; index += 1) {
      const value = units[index] ?? 0n
      let code = codes.get(value)
      if (code === undefined) {
        code = codes.size
        codes.set(value, code)
      }
      prediction[index] = code
    }
    if (stop < units.length) yield
  }
  const distinct = BigInt64Array.from(codes.keys()).sort()
  const ranks = new Uint32Array(distinct.length)
  for (const [rank, value] of distinct.entries()) ranks[codes.get(value) ?? 0] = rank
  for (let index = 0; index < prediction.length; index += 1) {
    prediction[index] = ranks[prediction[index] ?? 0] ?? 0
  }
  return {
    prediction,
    predictions: {
      units: distinct,
      high: Float64Array.from(distinct, (value) => Number(value >> PART_BITS)),
      low: Float64Array.from(distinct, (value) => Number(value & LOW_MASK)),
    },
  }
}

function* linkByUser(user: Float64Array): Sweep<Pick<Timeline, 'previous' | 'next'>> {
  const previous = new Int32Array(user.length).fill(-1)
  const next = new Int32Array(user.length).fill(-1)
  const latest = new Map<number, number>()
  for (const [start, stop] of slicesOf(user.length)) {
    for (let index = start; index < stop; index += 1) {
      const owner = user[index] ?? 0
      const before = latest.get(owner)
      if (before !== undefined) {
        previous[index] = before
        next[before] = index
      }
      latest.set(owner, index)
    }
    if (stop < user.length) yield
  }
  return { previous, next }
}

export function countPosted(
  { created, length }: Pick<Timeline, 'created' | 'length'>,
  at: number,
): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((created[middle] ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low
}

/** Of several spellings, the one that sorts first. Null before the first rating. */
export function spellingAt(timeline: Timeline, at: number): string | null {
  if (countPosted(timeline, at) === 0) return null
  const known = timeline.spellings.flatMap(({ symbol, since }) =>
    since <= at ? [Buffer.from(symbol)] : [],
  )
  const [first] = known.sort(Buffer.compare)
  return first?.toString() ?? null
}

export function visitActive(timeline: Timeline, at: number, visit: (index: number) => void): void {
  const { until } = timeline
  const posted = countPosted(timeline, at)
  for (let index = 0; index < posted; index += 1) {
    if ((until[index] ?? 0) > at) visit(index)
  }
}

export const wasActive = ({ created, until }: Timeline, index: number): boolean =>
  (until[index] ?? 0) > (created[index] ?? 0)
