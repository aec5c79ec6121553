import { sql } from 'kysely'
import { openPlacedExport, type PlacedExport } from '#lib/archive/query/placed-export.ts'
import type { ArchiveReader, ReadOptions } from '#lib/archive/reader.ts'
import type { CallColumn } from '#lib/contract/export-choice.ts'
import {
  type CallsChoice,
  callColumns,
  callOrder,
  selectPlaced,
  selectSet,
  withTexts,
} from './calls.ts'

/** Every call of a set, of one state of ratings and prices. */
export type CallsExport = PlacedExport<CallColumn>

/** Every call in the order of the choice. The caller closes it. */
export async function openCallsExport(
  reader: ArchiveReader,
  choice: CallsChoice,
  { at, signal }: ReadOptions,
): Promise<CallsExport> {
  await reader.scores.writeTable(choice.horizon, signal)
  const set = { ...choice, at }
  return await openPlacedExport(
    reader,
    {
      placed: sql`
        select *, row_number() over (order by ${callOrder(set.sort)}) - 1 as place
        from ${selectSet(set)} as calls`,
      load: selectPlaced,
      toTyped: (columns, calls) => sql`
        select ${callColumns('typed', columns)} from ${withTexts(calls)} as texted order by place`,
    },
    signal,
  )
}
