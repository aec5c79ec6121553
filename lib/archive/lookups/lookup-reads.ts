import type { LookupReads } from '#lib/archive/archive.ts'
import type { PlacedSource } from '#lib/archive/query/placed-export.ts'
import type { LookupFacets } from '#lib/contract/answers/lookups.ts'
import { selectAttention } from './attention.ts'
import type { Lookups } from './lookups.ts'
import { openLookupsExport } from './lookups-export.ts'
import { selectLookupFacets, selectLookups } from './select-lookups.ts'

/** Look-ups with the questions to them. */
export function createLookups(lookups: Lookups, source: PlacedSource): Lookups & LookupReads {
  const { engine } = source
  const isEmpty = () => lookups.state().edition === null
  return {
    ...lookups,
    select: async (query, { signal }) =>
      isEmpty() ? { rows: [], total: 0 } : await selectLookups(engine, query, signal),
    selectFacets: async (query, { signal }) =>
      isEmpty()
        ? NO_FACETS
        : await selectLookupFacets(engine, query, { state: lookups.state(), signal }),
    selectAttention: async (symbol, query, options) =>
      await selectAttention(engine, { symbol, query }, { state: lookups.state(), ...options }),
    openExport: async (query, { signal }) =>
      await openLookupsExport(source, { query, isEmpty: isEmpty() }, signal),
  }
}

const NO_FACETS: LookupFacets = {
  symbol: [],
  source: [],
  room: [],
  distinct: { symbols: 0, sources: 0, rooms: 0 },
  created: [],
  bounds: { created: null },
}
