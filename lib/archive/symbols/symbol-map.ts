import { selectSymbolSums } from '#lib/archive/query/consensus.ts'
import type { ArchiveReader, ReadOptions, Rows } from '#lib/archive/reader.ts'
import { MAP_SYMBOLS_MAX } from '#lib/contract/answers/limits.ts'
import type { MapCell } from '#lib/contract/answers/symbols.ts'
import { toMean } from '#lib/statistics/exact.ts'
import { toChange } from '#lib/timeline/standing.ts'

const DAY_SECONDS = 86_400

/** Most active ratings first, ties by symbol; `total` counts all symbols with active ratings. */
export async function selectSymbolMap(
  reader: Pick<ArchiveReader, 'read'>,
  days: number,
  { at, signal }: ReadOptions,
): Promise<Rows<Omit<MapCell, 'name' | 'sector'>>> {
  const before = at - days * DAY_SECONDS
  const lines = await reader.read(
    async (db) =>
      await db
        .with('tally', () => selectSymbolSums(db, { at, before }))
        .selectFrom('tally')
        .innerJoin('symbol', 'symbol.symbol_key', 'tally.symbol_key')
        .selectAll('tally')
        .select(['symbol.symbol', (eb) => eb.fn.countAll<number>().over().as('total')])
        .where('tally.active', '>', 0)
        .orderBy('tally.active', 'desc')
        .orderBy('symbol.symbol')
        .limit(MAP_SYMBOLS_MAX)
        .execute(),
    signal,
  )
  const rows = lines.map(({ symbol, active, rating_sum: sum, active_before, sum_before }) => ({
    symbol,
    active,
    consensus: toMean(sum, active, 4) ?? '0.0000',
    change: toChange({ active: active_before, sum: sum_before }, { active, sum }),
  }))
  return { rows, total: lines[0]?.total ?? 0 }
}
