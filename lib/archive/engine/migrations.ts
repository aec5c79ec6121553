import { type Kysely, sql } from 'kysely'
import { AppError } from '#lib/contract/faults.ts'
import { isDamage } from './engine-errors.ts'
import { isBeyondAscii, setSearchKeys, withKeys } from './symbol-keys.ts'
import { DERIVED, NEIGHBORS, OWN, type Tables } from './tables.ts'

export type Migration = (db: Kysely<Tables>) => Promise<void>

/** Never edit a released entry. */
export const MIGRATIONS: readonly Migration[] = [createTables, refoldSymbols]

export const SCHEMA_VERSION = MIGRATIONS.length

export async function migrate(db: Kysely<Tables>, migrations = MIGRATIONS): Promise<void> {
  const from = await selectVersion(db, migrations.length)
  for (const [index, step] of migrations.slice(from).entries()) {
    await db.transaction().execute(async (transaction) => {
      await step(transaction)
      await transaction
        .updateTable('journal')
        .set({ schema_version: from + index + 1 })
        .execute()
    })
  }
}

/** 0 if empty. Throws AppError('not_ready') if newer than `latest` or foreign. */
export async function selectVersion(db: Kysely<Tables>, latest = SCHEMA_VERSION): Promise<number> {
  const found = await readVersion(db)
  if (found <= latest) return found
  throw new AppError(
    'not_ready',
    `The archive file has version ${found}; this program reads up to version ${latest}.`,
  )
}

const OURS = ['main.journal', 'main.rating', 'main.symbol']

async function readVersion(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ name: string }>`
    select table_schema || '.' || table_name as name from information_schema.tables
    where table_catalog = current_database()`.execute(db)
  const names = rows.map(({ name }) => name)
  if (names.length === 0) return 0
  const foreign = new AppError('not_ready', 'The archive file is not an archive.')
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

/** No primary key: the merge keeps ids unique, and an index would cost memory. */
async function createTables(db: Kysely<Tables>): Promise<void> {
  await sql`
    create table rating (
      ${FIELD_COLUMNS},
      symbol_key text not null,
      extra text,
      prediction_value decimal(18, 6) not null,
      effective_until bigint not null,
      previous_rating smallint,
      previous_prediction text,
      previous_created_at bigint,
      quality smallint,
      vanished_at bigint
    )`.execute(db)
  await sql`create table symbol (symbol_key text not null, symbol text not null)`.execute(db)
  await sql`
    create table quarantine (
      source_kind text not null,
      source_name text not null,
      reason text not null,
      raw text not null,
      quarantined_at bigint not null,
      rating_id bigint
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
      last_unchanged bigint not null,
      covered_to_id bigint,
      covered_at bigint,
      quarantine_dropped bigint default 0
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

/** Keys were in upper case only. Symbols that become one share their neighbors. */
async function refoldSymbols(db: Kysely<Tables>): Promise<void> {
  await sql`alter table symbol add column search_key text`.execute(db)
  const texts = sql`select distinct symbol as text from rating where ${isBeyondAscii('symbol')}`
  await withKeys(db, { texts }, async () => {
    await sql`
      create temporary table refolded as
      select distinct symbol_key as before, key as after from rating join folded on symbol = text
      where symbol_key <> key`.execute(db)
    await sql`
      update rating set symbol_key = key from folded
      where symbol = text and symbol_key <> key`.execute(db)
  })
  await sql`
    update rating set
      effective_until = fresh.effective_until,
      previous_rating = fresh.previous_rating,
      previous_prediction = fresh.previous_prediction,
      previous_created_at = fresh.previous_created_at,
      quality = fresh.quality
    from (
      select of_id, ${DERIVED} from (
        select id as of_id, created_at, rating, action, prediction, expired_at, vanished_at,
          ${NEIGHBORS}
        from rating
        where symbol_key in (select before from refolded union select after from refolded)
        ${OWN}
      ) as affected
    ) as fresh where fresh.of_id = id`.execute(db)
  await sql`drop table refolded`.execute(db)
  await sql`delete from symbol`.execute(db)
  await sql`
    insert into symbol (symbol_key, symbol)
    select symbol_key, min(symbol) from rating group by symbol_key`.execute(db)
  await setSearchKeys(db)
}

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

/** Temporary tables vanish with a killed run and never enter the log. */
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
