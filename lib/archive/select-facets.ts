import type { Kysely } from 'kysely'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import type { ReadOptions } from './archive.ts'
import type { BinEdges } from './bin-edges.ts'
import { toShortText } from './decimal.ts'
import type { Engine } from './duckdb-engine.ts'
import type { Labels } from './known-state.ts'
import type { Asked } from './rating-conditions.ts'
import { selectCodeFacets } from './select-code-facets.ts'
import { selectPredictionBins } from './select-prediction-bins.ts'
import { selectQualityFacet } from './select-quality-facet.ts'
import { selectTopSymbols, selectTopUsers } from './select-top-facets.ts'
import type { Tables } from './tables.ts'

/** The counts beside the filters: each over the rows that pass all the other filters. */
export async function selectFacets(
  engine: Engine,
  query: RatingsQuery,
  { at, signal, labels, edges }: ReadOptions & { labels: Labels; edges: BinEdges },
): Promise<Facets> {
  const asked: Asked = { query, at }
  const read = async <T>(select: (db: Kysely<Tables>) => Promise<T>) =>
    await engine.read(select, signal)
  const [codes, symbols, users, prediction, quality] = await Promise.all([
    selectCodeFacets(read, asked, { labels, edges: edges.created }),
    read((db) => selectTopSymbols(db, asked)),
    read((db) => selectTopUsers(db, asked)),
    read((db) => selectPredictionBins(db, asked, edges.prediction)),
    read((db) => selectQualityFacet(db, asked)),
  ])
  return {
    ...codes,
    symbol: symbols.shown,
    user: users.shown,
    distinct: { symbols: symbols.distinct, users: users.distinct },
    prediction,
    quality,
    bounds: toBounds(edges),
  }
}

const toBounds = ({ created, prediction }: BinEdges): Facets['bounds'] => ({
  created: created && { from: created.first, to: created.last + 1 },
  prediction: prediction && {
    min: toShortText(prediction.smallest),
    max: toShortText(prediction.largest),
  },
})
