import { OVERVIEW_LINES, OVERVIEW_SECONDS, type Overview } from '#lib/contract/answers/overview.ts'
import type { ReadOptions } from './archive.ts'
import { toChange } from './consensus-change.ts'
import type { Engine } from './duckdb-engine.ts'
import { toMean } from './mean.ts'
import { type OverviewLine, selectOverviewLines } from './overview-lines.ts'
import { toWilsonLow } from './wilson.ts'

/** What happened in the days before `at`, and what is pending then. */
export async function selectOverview(
  engine: Engine,
  { at, signal }: ReadOptions,
): Promise<Overview> {
  const lines = await engine.read((db) => selectOverviewLines(db, at), signal)
  const upgraded = listed(lines, (line) => line.by_upgraded)
  const downgraded = listed(lines, (line) => line.by_downgraded)
  return {
    since: at - OVERVIEW_SECONDS,
    upgraded: upgraded.map((line) => ({ symbol: line.symbol, count: line.upgraded })),
    downgraded: downgraded.map((line) => ({ symbol: line.symbol, count: line.downgraded })),
    moves: listed(lines, (line) => line.by_move).map(toMove),
    newest: listed(lines, (line) => line.by_first).map((line) => ({
      symbol: line.symbol,
      first_created_at: line.first_created_at,
      ratings: line.ratings,
    })),
    contested: listed(lines, (line) => line.by_disagreement).map(toContested),
    cliffs: listed(lines, (line) => line.by_lapsing).map(toCliff),
  }
}

/** A line may stand in one list and behind the end of another. */
function listed(lines: readonly OverviewLine[], read: (line: OverviewLine) => number | null) {
  const place = (line: OverviewLine) => read(line) ?? Number.POSITIVE_INFINITY
  return lines
    .filter((line) => place(line) <= OVERVIEW_LINES)
    .sort((one, other) => place(one) - place(other))
}

const ZERO = '0.0000'

function toMove(line: OverviewLine): Overview['moves'][number] {
  const before = { active: line.active_before, sum: line.sum_before }
  const after = { active: line.active, sum: line.rating_sum }
  return {
    symbol: line.symbol,
    active: after.active,
    before: toMean(before.sum, before.active, 4) ?? ZERO,
    consensus: toMean(after.sum, after.active, 4) ?? ZERO,
    change: toChange(before, after) ?? ZERO,
  }
}

function toContested(line: OverviewLine): Overview['contested'][number] {
  const agree = line.agree ?? 0
  const disagree = line.disagree ?? 0
  const low = toWilsonLow(disagree, agree + disagree) ?? ZERO
  return { symbol: line.symbol, agree, disagree, disagreement_low: low }
}

function toCliff(line: OverviewLine): Overview['cliffs'][number] {
  const { symbol, active, lapsing } = line
  const left = (line.rating_sum ?? 0) - (line.lapsing_sum ?? 0)
  return {
    symbol,
    active,
    lapsing,
    lapsing_low: toWilsonLow(lapsing, active) ?? ZERO,
    consensus: toMean(line.rating_sum, active, 4) ?? ZERO,
    left: toMean(left, active - lapsing, 4),
  }
}
