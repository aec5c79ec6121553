import type { Comparison } from '#lib/contract/answers/series.ts'
import type { CompareQuery } from '#lib/contract/other-queries.ts'
import type { ReadOptions } from './archive.ts'
import type { Engine } from './duckdb-engine.ts'
import { selectBegun } from './select-series.ts'
import { chooseBuckets } from './series-buckets.ts'
import { type Change, selectChanges } from './series-changes.ts'
import { toStanding, toSteps } from './series-points.ts'

/**
 * Several symbols in the same buckets, in the order asked: those of a series ({@link selectSeries}) that begins with
 * the first rating of any of them. Before its own first rating a symbol has points at which nothing is active.
 */
export async function selectComparison(
  engine: Engine,
  query: CompareQuery,
  { at, signal }: ReadOptions,
): Promise<Comparison> {
  const keys = query.symbol.only
  const begun = await engine.read((db) => selectBegun(db, keys, at), signal)
  const byKey = new Map(begun.map((symbol) => [symbol.key, symbol]))
  const unknown = keys.filter((key) => !byKey.has(key))
  const known = keys.flatMap((key) => byKey.get(key) ?? [])
  const began = Math.min(at, ...known.map((symbol) => symbol.began))
  const buckets = chooseBuckets(query, { began, at })
  if (known.length === 0) return { bucket: buckets.bucket, symbols: [], unknown }
  const asked = { keys: known.map((symbol) => symbol.key), buckets, at }
  const changes = await engine.read((db) => selectChanges(db, asked), signal)
  const bySymbol = groupBySymbol(changes)
  const symbols = known.map((symbol) => ({
    symbol: symbol.symbol,
    first_created_at: symbol.began,
    points: toSteps(buckets, bySymbol.get(symbol.key) ?? []).map((step) => ({
      t: step.t,
      ...toStanding(step.active),
    })),
  }))
  return { bucket: buckets.bucket, symbols, unknown }
}

function groupBySymbol(changes: readonly Change[]): Map<string, Change[]> {
  const groups = new Map<string, Change[]>()
  for (const change of changes) {
    const own = groups.get(change.symbol_key)
    if (own) own.push(change)
    else groups.set(change.symbol_key, [change])
  }
  return groups
}
