import { type Sweep, slicesOf } from '#lib/async/sweep.ts'
import { OTHERS_MIN, toDistanceInNanos } from './others.ts'
import { countPosted, type Timeline } from './timeline.ts'

/** Of one symbol, by `created`. */
export type PostedRatings = Pick<Timeline, 'user' | 'rating' | 'created' | 'until'>

/** `nanos`: distance in billionths; null if fewer than OTHERS_MIN others rated the symbol then. */
type VisitDistance = (user: number, nanos: bigint | null) => void

/** From each rating posted by `at - later` to the mean of the others `later` seconds after it. */
export function* visitDistances(
  { user, rating, created, until }: PostedRatings,
  { at, later }: { at: number; later: number },
  visit: VisitDistance,
): Sweep<void> {
  const ends = toEnds({ rating, created, until }, at)
  yield
  const latest = new Map<number, number>()
  let [begun, ended, count, sum] = [0, 0, 0, 0]
  const judged = countPosted({ created, length: created.length }, at - later)
  for (const [start, stop] of slicesOf(judged)) {
    for (let row = start; row < stop; row += 1) {
      const then = (created[row] ?? 0) + later
      for (; (created[begun] ?? Number.POSITIVE_INFINITY) <= then; begun += 1) {
        if ((until[begun] ?? 0) <= (created[begun] ?? 0)) continue
        count += 1
        sum += rating[begun] ?? 0
        latest.set(user[begun] ?? 0, begun)
      }
      for (; (ends[ended] ?? Number.POSITIVE_INFINITY) < (then + 1) * CODES; ended += 1) {
        count -= 1
        sum -= toRating(ends[ended] ?? 0)
      }
      const own = latest.get(user[row] ?? 0)
      const isOwn = own !== undefined && (until[own] ?? 0) > then
      const others = isOwn ? { count: count - 1, sum: sum - (rating[own] ?? 0) } : { count, sum }
      const isJudged = others.count >= OTHERS_MIN
      visit(user[row] ?? 0, isJudged ? toDistanceInNanos(rating[row] ?? 0, others) : null)
    }
    yield
  }
}

/** Ratings are 16-bit integers. */
const CODES = 2 ** 16
const toCode = (rating: number) => rating + CODES / 2
const toRating = (end: number) => end - Math.floor(end / CODES) * CODES - CODES / 2

/** Ascending: instant × CODES + code of the rating that ended then. */
function toEnds({ rating, created, until }: Omit<PostedRatings, 'user'>, at: number): Float64Array {
  const ends = new Float64Array(created.length)
  let length = 0
  for (let row = 0; row < until.length; row += 1) {
    const end = until[row] ?? 0
    if (end > at || end <= (created[row] ?? 0)) continue
    ends[length] = end * CODES + toCode(rating[row] ?? 0)
    length += 1
  }
  return ends.subarray(0, length).sort()
}
