import { sql } from 'kysely'
import { type ListRows, loadFields } from '#lib/archive/lists/select-list.ts'
import type { ArchiveReader } from '#lib/archive/reader.ts'
import type { QuarantinedRow } from '#lib/contract/answers/status.ts'
import type { ListQuery } from '#lib/contract/lists/define-list.ts'
import { quarantineList } from '#lib/contract/lists/quarantine.ts'

/** Storage order: sorting by long texts is slow. */
export const selectQuarantine = async (
  reader: ArchiveReader,
  limit: number,
): Promise<QuarantinedRow[]> =>
  await reader.read(
    async (db) =>
      await db
        .selectFrom('quarantine')
        .select(['quarantined_at as at', 'source_name as source', 'reason', 'raw'])
        .orderBy('quarantined_at', 'desc')
        .orderBy(sql`rowid`)
        .limit(limit)
        .execute(),
  )

export const quarantineRows = (
  query: ListQuery<typeof quarantineList>,
): ListRows<typeof quarantineList> => ({
  list: quarantineList,
  query,
  source: {
    from: sql`(
      select quarantined_at as "at", source_name as source, reason, raw, rowid as row_no
      from quarantine) as kept`,
    fields: {},
    where: [],
    ties: () => [sql`"at" desc`, sql`row_no`],
  },
  load: loadFields(quarantineList),
})
