import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** Ids are asked for in lists of this length. */
const IDS_PER_QUERY = 1000

export async function selectKnownIds(
  db: Kysely<Tables>,
  ids: readonly number[],
): Promise<Set<number>> {
  const known = new Set<number>()
  for (let start = 0; start < ids.length; start += IDS_PER_QUERY) {
    const rows = await db
      .selectFrom('rating')
      .select('id')
      .where('id', 'in', ids.slice(start, start + IDS_PER_QUERY))
      .execute()
    for (const row of rows) known.add(row.id)
  }
  return known
}
