import { type Kysely, sql } from 'kysely'
import { AppError } from '#lib/contract/faults.ts'
import { isDamage } from './engine-errors.ts'
import { QUALITY_BITS, readRejectedId, type Tables } from './tables.ts'

/** So many rows are written at a time: what keeps memory flat however large the archive is. */
const SLICE_ROWS = 250_000

/**
 * Version 2: when the user's rating before was posted, and the lenses that a rating falls under. They are worked out
 * over narrow rows; then the table is written anew in its own order, slice by slice, within the caller's transaction.
 * Whoever changes what a lens means adds an entry of his own that works `quality` out again.
 */
export async function addQuality(db: Kysely<Tables>, sliceRows = SLICE_ROWS): Promise<void> {
  await sql`
    create temporary table worked_out as
    select place, previous_created_at, ${QUALITY_BITS} as quality from (
      select rowid as place, rating, action, prediction_value, created_at, expired_at,
        previous_rating, cast(null as bigint) as vanished_at,
        lag(created_at) over (partition by user_id, symbol_key order by created_at, id)
          as previous_created_at
      from rating
    ) as followed
    order by place`.execute(db)
  await sql`
    create table rating_next as
    select rating.*, previous_created_at, quality from rating, worked_out limit 0`.execute(db)
  const { rows } = await sql<{ last: number | null }>`
    select max(place) as last from worked_out`.execute(db)
  const last = rows[0]?.last ?? -1
  for (let from = 0; from <= last; from += sliceRows) await copySlice(db, from, from + sliceRows)
  await sql`drop table worked_out`.execute(db)
  await sql`drop table rating`.execute(db)
  await sql`alter table rating_next rename to rating`.execute(db)
}

/** Rows from one place in the table to before another. */
async function copySlice(db: Kysely<Tables>, from: number, to: number): Promise<void> {
  const within = (column: string) =>
    sql`${sql.ref(column)} >= ${sql.lit(from)} and ${sql.ref(column)} < ${sql.lit(to)}`
  await sql`
    insert into rating_next
    select rating.*, previous_created_at, quality
    from rating join worked_out on place = rating.rowid
    where ${within('rating.rowid')} and ${within('place')}
    order by place`.execute(db)
}

/** So many quarantined rows are read at a time. */
const QUARANTINE_SLICE_ROWS = 1000

/**
 * Version 3: which ratings the service lists no more, how far its last whole dump reached, and what is known of the
 * rows that are not ratings. No rating had vanished before anybody looked, so nothing of them is written anew.
 */
async function addVanished(db: Kysely<Tables>): Promise<void> {
  await sql`alter table rating add column vanished_at bigint`.execute(db)
  await sql`alter table journal add column covered_to_id bigint`.execute(db)
  await sql`alter table journal add column covered_at bigint`.execute(db)
  await sql`alter table journal add column quarantine_dropped bigint default 0`.execute(db)
  await sql`alter table quarantine add column rating_id bigint`.execute(db)
  await readIds(db)
}

async function readIds(db: Kysely<Tables>): Promise<void> {
  await sql`create temporary table read_id (place bigint, found bigint)`.execute(db)
  let from = 0
  for (;;) {
    const { rows } = await sql<{ place: number; raw: string }>`
      select rowid as place, raw from quarantine
      where rowid >= ${from} order by rowid limit ${QUARANTINE_SLICE_ROWS}`.execute(db)
    const last = rows.at(-1)
    if (!last) break
    const found = rows.flatMap(({ place, raw }) => {
      const id = readRejectedId(raw)
      return id === null ? [] : [sql`(${sql.lit(place)}, ${sql.lit(id)})`]
    })
    if (found.length > 0) await sql`insert into read_id values ${sql.join(found)}`.execute(db)
    from = last.place + 1
  }
  await sql`
    update quarantine set rating_id = found from read_id where quarantine.rowid = place`.execute(db)
  await sql`drop table read_id`.execute(db)
}

/** One entry a version, never edited once released: entry 0 makes an empty file version 1, entry 1 version 2. */
const MIGRATIONS: ((db: Kysely<Tables>) => Promise<void>)[] = [
  createTables,
  addQuality,
  addVanished,
]

export const SCHEMA_VERSION = MIGRATIONS.length

/**
 * Brings a file to a version, this one unless told otherwise, each step in a transaction. Throws as {@link selectVersion}.
 */
export async function migrate(db: Kysely<Tables>, target = SCHEMA_VERSION): Promise<void> {
  for (let version = await selectVersion(db); version < target; version += 1) {
    await db.transaction().execute(async (transaction) => {
      await MIGRATIONS[version]?.(transaction)
      await transaction
        .updateTable('journal')
        .set({ schema_version: version + 1 })
        .execute()
    })
  }
}

/**
 * The version of a file, 0 where it holds nothing. Throws AppError('not_ready') where it is a newer one than this
 * program knows, or where the file holds tables of somebody else, and what the engine throws where it is damaged.
 */
export async function selectVersion(db: Kysely<Tables>): Promise<number> {
  const found = await readVersion(db)
  if (found <= SCHEMA_VERSION) return found
  throw new AppError(
    'not_ready',
    `The archive file is of version ${found}; this program reads up to ${SCHEMA_VERSION}.`,
  )
}

/** Tables that every version has had. */
const OURS = ['main.journal', 'main.rating', 'main.symbol']

async function readVersion(db: Kysely<Tables>): Promise<number> {
  // What is temporary is ours, and of this connection.
  const { rows } = await sql<{ name: string }>`
    select table_schema || '.' || table_name as name from information_schema.tables
    where table_catalog = current_database()`.execute(db)
  const names = rows.map(({ name }) => name)
  if (names.length === 0) return 0
  const foreign = new AppError(
    'not_ready',
    'The archive file holds something else than an archive.',
  )
  const isOurs =
    names.every((name) => name.startsWith('main.')) && OURS.every((name) => names.includes(name))
  if (!isOurs) throw foreign
  try {
    const journal = await db.selectFrom('journal').select('schema_version').executeTakeFirst()
    if (Number.isInteger(journal?.schema_version)) return journal?.schema_version ?? 0
  } catch (cause) {
    if (isDamage(cause)) throw cause
    throw new AppError('not_ready', foreign.message, { cause })
  }
  throw foreign
}

/** No key on `rating`: the merge keeps ids unique, and an index over them would cost memory at every start. */
async function createTables(db: Kysely<Tables>): Promise<void> {
  await sql`
    create table rating (
      ${FIELD_COLUMNS},
      symbol_key text not null,
      extra text,
      prediction_value decimal(18, 6) not null,
      effective_until bigint not null,
      previous_rating smallint,
      previous_prediction text
    )`.execute(db)
  await sql`create table symbol (symbol_key text not null, symbol text not null)`.execute(db)
  await sql`
    create table quarantine (
      source_kind text not null,
      source_name text not null,
      reason text not null,
      raw text not null,
      quarantined_at bigint not null
    )`.execute(db)
  await sql`
    create table journal (
      schema_version integer not null,
      generation bigint not null,
      complete_to bigint,
      last_source text,
      last_state text,
      last_at bigint,
      last_inserted bigint not null,
      last_updated bigint not null,
      last_unchanged bigint not null
    )`.execute(db)
  await db
    .insertInto('journal')
    .values({
      schema_version: 0,
      generation: 0,
      complete_to: null,
      last_source: null,
      last_state: null,
      last_at: null,
      last_inserted: 0,
      last_updated: 0,
      last_unchanged: 0,
    })
    .execute()
}

/** The 15 fields as they come, in the order of the specification. */
const FIELD_COLUMNS = sql`
  id bigint not null,
  user_id bigint not null,
  symbol text not null,
  rating smallint not null,
  rating_label text not null,
  action smallint not null,
  action_label text not null,
  prediction text not null,
  tally_agree integer not null,
  tally_disagree integer not null,
  tally_comment integer not null,
  created_at bigint not null,
  created_at_date text not null,
  expired_at bigint,
  expired_at_date text`

/**
 * The tables of a run's staged rows, empty. They are temporary, so a killed run leaves nothing: the engine keeps them
 * in memory, spills them beside the file, and never writes them to the log.
 */
export async function createStaging(db: Kysely<Tables>): Promise<void> {
  await sql`
    create or replace temporary table incoming (
      ${FIELD_COLUMNS}, seq bigint not null, symbol_key text not null, extra text
    )`.execute(db)
  await sql`
    create or replace temporary table incoming_rejected (
      reason text not null, raw text, rating_id bigint, line bigint
    )`.execute(db)
}

export async function dropStaging(db: Kysely<Tables>): Promise<void> {
  await sql`drop table if exists incoming`.execute(db)
  await sql`drop table if exists incoming_rejected`.execute(db)
}
