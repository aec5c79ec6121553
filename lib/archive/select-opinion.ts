import {
  CHANGE_DAYS,
  CLIFF_DAYS,
  type Opinion,
  PENDING_DAYS,
} from '#lib/contract/answers/opinion.ts'
import type { Counted } from '#lib/contract/answers/shared.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import type { ReadOptions } from './archive.ts'
import { type ActiveSum, toChange } from './consensus-change.ts'
import { toDeviation } from './deviation.ts'
import type { Engine } from './duckdb-engine.ts'
import type { Labels } from './known-state.ts'
import { toMean } from './mean.ts'
import {
  type ActiveFigures,
  type ActiveLine,
  selectActiveFigures,
  selectActiveLines,
  selectBefore,
  selectKnown,
} from './opinion-queries.ts'
import { toRankingBounds } from './ranking-bounds.ts'
import { toWilsonLow } from './wilson.ts'

const DAY_SECONDS = 86_400

/** What a community thinks of a symbol at `at`. Null where nobody had rated it by then. */
export async function selectOpinion(
  engine: Engine,
  symbol: string,
  { at, signal, labels }: ReadOptions & { labels: Labels },
): Promise<Opinion | null> {
  const asked = { key: toSymbolKey(symbol), at }
  const [known, before, figures, lines] = await Promise.all([
    engine.read((db) => selectKnown(db, asked), signal),
    engine.read((db) => selectBefore(db, asked), signal),
    engine.read((db) => selectActiveFigures(db, asked), signal),
    engine.read((db) => selectActiveLines(db, asked), signal),
  ])
  if (!known) return null
  const after = { active: figures.active, sum: figures.sum }
  return {
    ...known,
    ...toFigures(figures),
    by_rating: tally(lines, ({ rating }) => rating, labels.rating),
    by_action: tally(lines, ({ action }) => action, labels.action),
    changes: CHANGE_DAYS.map((days, index) => {
      const then = before[index] ?? { active: 0, sum: null }
      return { days, ...toConsensus(then), change: toChange(then, after) }
    }),
    cliff: CLIFF_DAYS.map((days) => ({
      days,
      lapsing: figures.active - selectLeft(lines, days).active,
      ...toConsensus(selectLeft(lines, days)),
    })),
    pending: Array.from({ length: PENDING_DAYS + 1 }, (_, days) => ({
      t: at + days * DAY_SECONDS,
      ...toConsensus(selectLeft(lines, days)),
    })),
  }
}

const toConsensus = ({ active, sum }: ActiveSum) => ({ active, consensus: toMean(sum, active, 4) })

function toFigures(figures: ActiveFigures) {
  const { active, sum, squares, prediction, weight, agree, disagree, ...predictions } = figures
  const sums = { count: active, sum: sum ?? 0, squares: squares ?? 0 }
  const bounds = toRankingBounds(sums)
  return {
    ...toConsensus({ active, sum }),
    consensus_low: bounds.low,
    consensus_high: bounds.high,
    weighted: toMean(figures.weighted, weight ?? 0, 4),
    dispersion: toDeviation(sums),
    prediction: {
      mean: toMean(prediction, active, 4),
      low: predictions.low,
      q1: predictions.q1,
      median: predictions.median,
      q3: predictions.q3,
      high: predictions.high,
    },
    agree: agree ?? 0,
    disagree: disagree ?? 0,
    agreement_low: toWilsonLow(agree ?? 0, (agree ?? 0) + (disagree ?? 0)),
  }
}

/** The active ratings that will not have expired so many days on, if nobody posts or renews. */
function selectLeft(lines: readonly ActiveLine[], days: number): ActiveSum {
  let [active, sum] = [0, 0]
  for (const { rating, lapses_in, count } of lines) {
    if (lapses_in !== null && lapses_in <= days) continue
    active += count
    sum += rating * count
  }
  return { active, sum }
}

function tally(
  lines: readonly ActiveLine[],
  read: (line: ActiveLine) => number,
  label: (code: number) => string,
): Counted[] {
  const counts = new Map<number, number>()
  for (const line of lines) counts.set(read(line), (counts.get(read(line)) ?? 0) + line.count)
  return [...counts]
    .map(([value, count]) => ({ value, label: label(value), count }))
    .sort((a, b) => a.value - b.value)
}
