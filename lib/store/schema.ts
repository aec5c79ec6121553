import { AppError } from '#lib/contract/faults.ts'
import type { Database, Transaction } from './connection.ts'
import { ONE_PROCESS } from './request-ledger.ts'
import { allowLong, transact } from './transaction.ts'

const SCHEMA = 'bellwether'

const MIGRATION_LOCK = 7_415_226_091

/** `readableFrom`: oldest compatible program, for rolling upgrades. */
type Migration = { readableFrom: number; statements: string }

/** One entry per version, never edited once released. */
export const MIGRATIONS: readonly Migration[] = [
  {
    readableFrom: 1,
    statements: `
      create table ${SCHEMA}.lease (
        name text primary key, holder text, epoch bigint not null, until timestamptz not null
      );
      insert into ${SCHEMA}.lease values ('sync', null, 0, '-infinity');

      create table ${SCHEMA}.state (
        single boolean primary key default true check (single),
        service text, generation bigint not null, mark text not null, revision bigint not null,
        complete_to bigint, covered_to_id bigint, covered_at bigint,
        quarantine_dropped bigint not null
      );
      insert into ${SCHEMA}.state values (true, null, 0, 'empty', 0, null, null, null, 0);

      create table ${SCHEMA}.history (
        revision bigint primary key, generation bigint not null, mark text not null, epoch bigint not null,
        changed bigint not null, at timestamptz not null default clock_timestamp()
      );

      create table ${SCHEMA}.rating (
        id bigint primary key, user_id bigint not null, symbol text not null,
        rating smallint not null, rating_label text not null,
        action smallint not null, action_label text not null, prediction text not null,
        tally_agree integer not null, tally_disagree integer not null, tally_comment integer not null,
        created_at bigint not null, created_at_date text not null,
        expired_at bigint, expired_at_date text,
        symbol_key text not null, extra text, vanished_at bigint, changed bigint not null
      );
      create index rating_changed on ${SCHEMA}.rating (changed);

      create table ${SCHEMA}.quarantine (
        seq bigint generated always as identity primary key,
        source_kind text not null, source_name text not null, reason text not null, raw text not null,
        quarantined_at bigint not null, rating_id bigint
      );

      create table ${SCHEMA}.document (
        name text primary key, version bigint not null, content text not null
      );

      create table ${SCHEMA}.event (
        id bigint generated always as identity primary key, node text not null, entry text not null
      );

      create table ${SCHEMA}.request (
        at timestamptz not null default clock_timestamp(), purpose text not null, node text not null,
        id uuid primary key default gen_random_uuid()
      );
      create index request_at on ${SCHEMA}.request (at);
      create table ${SCHEMA}.request_month (
        month text not null, purpose text not null, requests bigint not null,
        primary key (month, purpose)
      );

      create table ${SCHEMA}.wish (name text primary key, wishes bigint not null);

      create table ${SCHEMA}.node (
        name text primary key, version text not null, started_at timestamptz not null,
        seen_at timestamptz not null, generation bigint not null, revision bigint not null,
        note text
      );

      create table ${SCHEMA}.edition_file (
        sha256 text primary key, bytes bigint not null, parts integer not null, whole boolean not null
      );
      create table ${SCHEMA}.edition_part (
        sha256 text not null references ${SCHEMA}.edition_file on delete cascade,
        part integer not null, content bytea not null, primary key (sha256, part)
      );
      create table ${SCHEMA}.edition (
        name text primary key, sidecar text not null,
        sha256 text not null references ${SCHEMA}.edition_file
      );
      create table ${SCHEMA}.edition_state (
        single boolean primary key default true check (single), version bigint not null, mark text not null
      );
      insert into ${SCHEMA}.edition_state values (true, 0, 'empty');
    `,
  },
]

export const STORE_VERSION = MIGRATIONS.length

/** Throws AppError `not_ready` if the database belongs to a different program or is too new. */
export async function migrateStore(sql: Database, migrations = MIGRATIONS): Promise<void> {
  const latest = migrations.length
  if ((await selectVersion(sql, latest)).version >= latest) return
  await transact(sql, async (transaction) => {
    await allowLong(transaction)
    await transaction`select pg_advisory_xact_lock(${String(MIGRATION_LOCK)}::bigint)`
    const { version } = await selectVersion(transaction, latest)
    if (version === 0) {
      await transaction.unsafe(`create schema if not exists ${SCHEMA}`)
      await transaction.unsafe(
        `create table ${SCHEMA}.schema_version (
           single boolean primary key default true check (single), version integer not null, readable_from integer not null
         )`,
      )
      await transaction.unsafe(`insert into ${SCHEMA}.schema_version values (true, 0, 0)`)
    }
    for (const { readableFrom, statements } of migrations.slice(version)) {
      await transaction.unsafe(statements)
      await transaction.unsafe(
        `update ${SCHEMA}.schema_version set version = version + 1, readable_from = ${readableFrom}`,
      )
    }
  })
}

type Version = { version: number }

/** 0 if there is no schema. */
async function selectVersion(sql: Database | Transaction, latest: number): Promise<Version> {
  const [found] = await sql<{ ours: boolean; schema: boolean; others: number }[]>`
    select to_regclass('bellwether.schema_version') is not null as ours,
      to_regnamespace('bellwether') is not null and exists (
        select 1 from pg_class where relnamespace = to_regnamespace('bellwether')
      ) as schema,
      (select count(*) from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        where relkind in ('r', 'p', 'v', 'm') and nspname not in ('bellwether', 'information_schema')
          and nspname not like 'pg\\_%'
          and not exists (select 1 from pg_depend where objid = pg_class.oid and deptype = 'e'))
        as others`
  if (found?.ours) return await readVersion(sql, latest)
  if (found?.schema || (found?.others ?? 0) > 0) throw foreign()
  return { version: 0 }
}

async function readVersion(sql: Database | Transaction, latest: number): Promise<Version> {
  const [row] = await sql<{ version: number; readable_from: number }[]>`
    select version, readable_from from bellwether.schema_version`
  if (!row) throw foreign()
  if (row.readable_from > latest) {
    const message = `The shared database has version ${row.version}; this program supports up to version ${latest}. Upgrade the program.`
    throw new AppError('not_ready', message)
  }
  return { version: row.version }
}

const foreign = () =>
  new AppError(
    'not_ready',
    'The shared database holds tables of another program. Create a separate database for Bellwether.',
  )

const LATELY = '30 seconds'

type StoreContents = {
  service: string | null
  revision: number
  has_ratings: boolean
  has_asked: boolean
  runs: string | null
}

/** Throws AppError `not_ready`. */
export async function requireEmptyStore(sql: Database, service: string): Promise<void> {
  const [found] = await sql<StoreContents[]>`
    select service, revision,
      exists (select 1 from bellwether.rating) as has_ratings,
      exists (select 1 from bellwether.request where node <> ${ONE_PROCESS}) as has_asked,
      (select min(name) from bellwether.node
        where seen_at > clock_timestamp() - ${LATELY}::text::interval) as runs
    from bellwether.state`
  const problem = found ? toProblem(found, service) : 'The shared database has lost its state.'
  if (problem !== null) throw new AppError('not_ready', problem)
}

function toProblem({ service: kept, ...found }: StoreContents, service: string): string | null {
  if (kept !== null && kept !== service)
    return `The shared database holds the ratings of ${kept}, not of ${service}.`
  if (found.has_ratings || found.revision > 0)
    return 'The shared database already holds ratings. Share into an empty one.'
  if (found.has_asked)
    return 'Nodes have already used the shared database. Share into an empty one.'
  return found.runs === null
    ? null
    : `The node ${found.runs} is using the shared database. Stop all nodes first.`
}
