import { ENGLISH_FORMATS, type Formats } from '#components/format/numbers.ts'
import type { Series, SeriesPoint } from '#lib/contract/answers/opinion.ts'
import type { Bucket } from '#lib/contract/api-queries.ts'
import { toBucketPhrase } from './buckets.ts'

/** A large move of the consensus: the bucket that it came in, what happened in it, and the points on either side. */
export type Move = { t: number; text: string; before: SeriesPoint; after: SeriesPoint }

type Moved = Omit<Move, 'text'> & { weight: number }

const MOST = 3
/** In ten thousandths of a step: consensus has four decimals, and is compared in whole numbers. */
const LEAST = 1500
/** Nearer to one another than this share of what is drawn, notes would lie on one another. */
const APART = 0.08

/**
 * At most three moves of the consensus between neighbouring buckets, the most notable first: each at least 0.15, with
 * at least `minimum` active on either side. Notable is what is large for so many opinions: the mean of n scatters with
 * 1/√n, so a move counts by its size times √n of the smaller side.
 */
export function selectMoves(
  { bucket, points }: Pick<Series, 'bucket' | 'points'>,
  minimum: number,
  formats: Formats = ENGLISH_FORMATS,
): Move[] {
  const span = (points.at(-1)?.t ?? 0) - (points.at(0)?.t ?? 0)
  const candidates = points
    .flatMap((after, index) => toMoved(points[index - 1], after, minimum))
    .sort((a, b) => b.weight - a.weight || a.t - b.t)
  const chosen: Moved[] = []
  for (const one of candidates) {
    const isApart = chosen.every((other) => Math.abs(other.t - one.t) >= span * APART)
    if (isApart && chosen.length < MOST) chosen.push(one)
  }
  return chosen.map(({ t, before, after }) => {
    const cause = toCauseText({ before, after }, formats)
    return { t, before, after, text: `${cause} ${toBucketPhrase(t, bucket)}` }
  })
}

function toMoved(before: SeriesPoint | undefined, after: SeriesPoint, minimum: number): Moved[] {
  if (!before || before.active < minimum || after.active < minimum) return []
  const change = toChange(before, after)
  if (change === null || Math.abs(change) < LEAST) return []
  const weight = Math.abs(change) * Math.sqrt(Math.min(before.active, after.active))
  return [{ t: after.t, before, after, weight }]
}

/** From one point to the other in ten thousandths, exactly; null where either has no consensus. */
function toChange(before: SeriesPoint, after: SeriesPoint): number | null {
  if (before.consensus === null || after.consensus === null) return null
  return (
    Math.round(Number(after.consensus) * 10_000) - Math.round(Number(before.consensus) * 10_000)
  )
}

/** A move in steps of the scale, as a decimal with four places and its sign. */
export const toChangeText = ({ before, after }: Pick<Move, 'before' | 'after'>): string =>
  ((toChange(before, after) ?? 0) / 10_000).toFixed(4)

/** So many times the labelled ratings have to lapse before the lapses are named instead. */
const LAPSED_TIMES = 3

/**
 * What happened in the bucket that may have moved the consensus. Ratings labelled in the direction of the move, where
 * they are more than those against it: they all push that way, while some lapse in every bucket and in no direction.
 * Where those that lapsed are three times as many, or none is labelled, these; else what was posted.
 */
export function toCauseText(
  { before, after }: Pick<Move, 'before' | 'after'>,
  { formatCount, formatCounted }: Formats,
): string {
  const isUp = (toChange(before, after) ?? 0) > 0
  const { upgraded, downgraded, lapsed, posted } = after
  const [along, against] = isUp ? [upgraded, downgraded] : [downgraded, upgraded]
  if (along > against && along * LAPSED_TIMES > lapsed) {
    return formatCounted(along, isUp ? 'upgrade' : 'downgrade')
  }
  return lapsed > 0 ? `${formatCount(lapsed)} lapsed` : `${formatCount(posted)} posted`
}

/** How moves are chosen, in a sentence. */
export const toMovesRule = (bucket: Bucket): string =>
  `Notable moves: of the changes from one ${bucket} to the next of at least ${LEAST / 10_000}, the three with the largest size × √n, n being the fewer of both sides.`
