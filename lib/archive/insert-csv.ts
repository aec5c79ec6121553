import { type Kysely, sql } from 'kysely'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import { csvRatings } from './csv-source.ts'
import { DERIVED_NAMES } from './derived-columns.ts'
import type { StagedCsv } from './stage-csv.ts'
import type { Tables } from './tables.ts'

/** The id first: where it is not that of the derived row beside it, the engine throws. */
const CHECKED_FIELDS = sql.join(
  RATING_FIELDS.map((name) =>
    name === 'id'
      ? sql`case when id = derived_id then id else error('the file is not the one that was read before') end as id`
      : sql.ref(name),
  ),
)

/**
 * Puts a file's ratings into `rating_next`, each beside what was derived of it. Both stand in order of time and id, so nothing
 * is sorted or looked up. To read a file again is cheaper than to keep all of it aside. Throws where it was changed.
 */
export async function insertCsv(db: Kysely<Tables>, csv: StagedCsv): Promise<void> {
  await sql`
    insert into rating_next
    select ${CHECKED_FIELDS}, symbol_key, extra, ${DERIVED_NAMES}
    from ${csvRatings(csv)} as ratings positional join derived`.execute(db)
}
