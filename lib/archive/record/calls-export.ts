import { sql } from 'kysely'
import type { CallSet, CallsExport } from '#lib/archive/archive.ts'
import { openPlacedExport, type PlacedSource } from '#lib/archive/query/placed-export.ts'
import { callColumns, callOrder, selectCalls, selectSet, withTexts } from './calls.ts'

/** Counts the calls of a set and holds the snapshot in which they were counted, to write them from. */
export const openCalls = async (
  source: PlacedSource,
  set: CallSet,
  signal: AbortSignal | undefined,
): Promise<CallsExport> =>
  await openPlacedExport(
    source,
    {
      placed: sql`
        select *, row_number() over (order by ${callOrder(set.sort)}) - 1 as place
        from ${selectSet(set)} as calls`,
      load: selectCalls,
      toTyped: (columns, calls) => sql`
        select ${callColumns('typed', columns)} from ${withTexts(calls)} as texted order by place`,
    },
    signal,
  )
