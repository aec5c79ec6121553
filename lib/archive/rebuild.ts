import { type Kysely, type RawBuilder, sql } from 'kysely'
import { csvRatings } from './csv-source.ts'
import { DERIVED, DERIVED_NAMES, FIELDS, OWN } from './derived-columns.ts'
import { insertCsv } from './insert-csv.ts'
import type { StagedCsv } from './stage-csv.ts'
import type { Tables } from './tables.ts'

/** About so many rows are sorted at a time: what keeps memory flat however large the archive is. */
const SLICE_ROWS = 250_000

/** The time is cut into so many parts to find where a slice may end. */
const PARTS = 1000

/**
 * Writes all of `rating` anew: the rows of `source`, and those of the archive that `source` does not replace. They
 * are laid down in order of time, so the engine skips what a page or a range does not need. Derived columns are
 * worked out over narrow rows first, then each slice of time is put together with them.
 */
export async function rebuild(
  db: Kysely<Tables>,
  { source, ontoNothing, csv = null }: RebuildOptions,
): Promise<void> {
  await derive(db, source, ontoNothing)
  await sql`create table rating_next as select * from rating limit 0`.execute(db)
  if (csv?.isAscending) await insertCsv(db, csv)
  else {
    const rows = csv ? csvRatings(csv) : source
    for (const slice of await selectSlices(db)) await insertSlice(db, rows, slice)
  }
  await sql`drop table derived`.execute(db)
  await sql`drop table rating`.execute(db)
  await sql`alter table rating_next rename to rating`.execute(db)
  await sql`delete from symbol`.execute(db)
  await sql`
    insert into symbol select symbol_key, min(symbol) from rating group by symbol_key`.execute(db)
}

type RebuildOptions = {
  source: RawBuilder<unknown>
  ontoNothing: boolean
  /** The file that the rows of `source` wait in, where it holds their keys only. */
  csv?: StagedCsv | null
}

const KEYS = sql`id, user_id, symbol_key, created_at, rating, action, prediction, expired_at`

/** A row that comes is not vanished. */
const NOT_VANISHED = sql`cast(null as bigint) as vanished_at`

async function derive(
  db: Kysely<Tables>,
  source: RawBuilder<unknown>,
  ontoNothing: boolean,
): Promise<void> {
  const kept = sql`
    union all
    select ${KEYS}, vanished_at, 0 from rating where id not in (select id from ${source} as replacing)`
  await sql`
    create temporary table derived as
    select derived_id, derived_created_at, derived_fresh, ${DERIVED_NAMES} from (
      select id as derived_id, created_at as derived_created_at, fresh as derived_fresh, ${DERIVED}
      from (
        select ${KEYS}, ${NOT_VANISHED}, 1 as fresh from ${source} as source ${ontoNothing ? sql`` : kept}
      ) as every ${OWN}
    ) as worked_out
    order by derived_created_at, derived_id`.execute(db)
}

/** `from` inclusive, `to` exclusive, both in seconds. */
type Slice = { from: number; to: number }

async function selectSlices(db: Kysely<Tables>): Promise<Slice[]> {
  const { rows: bounds } = await sql<{ first: number; last: number }>`
    select min(derived_created_at) as first, max(derived_created_at) as last from derived
    having count(*) > 0`.execute(db)
  const [bound] = bounds
  if (!bound) return []
  const { first, last } = bound
  const width = Math.ceil((last - first + 1) / PARTS)
  const { rows: parts } = await sql<{ part: number; size: number }>`
    select cast(floor((derived_created_at - cast(${first} as bigint)) / ${width}) as bigint) as part,
      count(*) as size
    from derived group by part order by part`.execute(db)
  const slices: Slice[] = []
  let [from, rows] = [first, 0]
  for (const { part, size } of parts) {
    rows += size
    if (rows < SLICE_ROWS) continue
    const to = first + (part + 1) * width
    slices.push({ from, to })
    from = to
    rows = 0
  }
  if (from <= last) slices.push({ from, to: last + 1 })
  return slices
}

async function insertSlice(
  db: Kysely<Tables>,
  source: RawBuilder<unknown>,
  { from, to }: Slice,
): Promise<void> {
  const within = (column: string) =>
    sql`${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${to}`
  await sql`
    insert into rating_next
    select ${FIELDS}, symbol_key, extra, ${DERIVED_NAMES}
    from (
      select ${FIELDS}, symbol_key, extra, 1 as fresh from ${source} as source
      where ${within('created_at')}
      union all
      select ${FIELDS}, symbol_key, extra, 0 from rating where ${within('created_at')}
    ) as part
    join derived on derived_id = id and derived_fresh = fresh
    where ${within('derived_created_at')}
    order by created_at, id`.execute(db)
}
