import { open, rm, stat } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import { type Engine, openEngine } from '#lib/archive/engine/duckdb-engine.ts'
import {
  hasEngineSize,
  isDamage,
  isUnfinished,
  toOpenFailure,
  toOpenProblem,
} from '#lib/archive/engine/engine-errors.ts'
import {
  MIGRATIONS,
  type Migration,
  SCHEMA_VERSION,
  selectVersion,
} from '#lib/archive/engine/migrations.ts'
import { DERIVED, NEIGHBORS, OWN, type Tables } from '#lib/archive/engine/tables.ts'
import { AppError } from '#lib/contract/faults.ts'
import { toSearchKey, toSymbolKey } from '#lib/contract/rating-fields.ts'

type FileState =
  | { is: 'absent' }
  | { is: 'current' }
  | { is: 'older'; version: number }
  | { is: 'damaged'; logOnly: boolean }

export type InspectOptions = {
  memoryLimit: string
  threads: number
  migrations?: readonly Migration[]
}

/**
 * Reads every block. Deletes a file that was never finished. Throws AppError('not_ready') if it is
 * newer, foreign, held or inaccessible.
 */
export async function inspectFile(path: string, options: InspectOptions): Promise<FileState> {
  const file = await stat(path).catch(toNothing)
  if (file && !file.isFile()) throw toOpenProblem('Is a directory')
  if (file?.size === 0) await rm(path)
  else if (file && (await isUnfinished(path))) return { is: 'damaged', logOnly: false }
  else if (file && !(await hasMagic(path))) {
    if (hasEngineSize(file.size)) return { is: 'damaged', logOnly: false }
    throw toOpenProblem('not a valid DuckDB database')
  } else if (file) return await readWhole(path, options)
  // An orphaned log would be applied to the next file.
  const hasLog = (await stat(`${path}.wal`).catch(toNothing)) !== null
  return hasLog ? { is: 'damaged', logOnly: true } : { is: 'absent' }
}

function toNothing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}

const MAGIC = 'DUCK'
const MAGIC_AT = 8

/** For other file types the engine tries to download an extension. */
async function hasMagic(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { buffer } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, MAGIC_AT)
    return buffer.toString('latin1') === MAGIC
  } finally {
    await file.close()
  }
}

async function readWhole(
  path: string,
  { migrations = MIGRATIONS, ...options }: InspectOptions,
): Promise<FileState> {
  let engine: Engine | null = null
  try {
    engine = await openEngine({ ...options, path, isReadOnly: true })
    const version = await selectVersion(engine.writer.db, migrations.length)
    await readEveryBlock(engine.writer.db)
    return version === migrations.length || version === 0
      ? { is: 'current' }
      : { is: 'older', version }
  } catch (error) {
    return toDamage(error)
  } finally {
    await engine?.close()
  }
}

function toDamage(error: unknown): FileState {
  const cause = error instanceof AppError ? error.cause : error
  if (cause !== undefined && error instanceof AppError) {
    const failure = toOpenFailure(cause)
    if (failure === 'log') return { is: 'damaged', logOnly: true }
    if (failure === 'damaged' && isDamage(cause)) return { is: 'damaged', logOnly: false }
  } else if (isDamage(error)) return { is: 'damaged', logOnly: false }
  throw error
}

export async function readEveryBlock(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'main' and table_type = 'BASE TABLE'`.execute(db)
  for (const { name } of rows) {
    await readTable(db, name)
  }
}

export async function readTable(db: Kysely<Tables>, name: string): Promise<void> {
  await sql`select bit_xor(hash(each)) = 0 as hash from ${sql.table(name)} as each`.execute(db)
}

type VerifiedFigures = {
  ratings: number
  symbols: number
  users: number
  vanished: number
  quarantined: number
  generation: number
  completeTo: number | null
}

type Verified = {
  problems: string[]
  figures: VerifiedFigures | null
}

type Check = (db: Kysely<Tables>) => Promise<string[]>

/** Unreadable parts become problems, not errors. */
export async function verifyArchive(db: Kysely<Tables>): Promise<Verified> {
  const problems: string[] = []
  for (const [part, check] of CHECKS) {
    try {
      problems.push(...(await check(db)))
    } catch {
      // Engine messages may quote data.
      problems.push(`The ${part} cannot be read.`)
    }
  }
  return { problems, figures: await loadFigures(db).catch(() => null) }
}

const CHECKS: [part: string, check: Check][] = [
  ['rows of the ratings', readAll('rating')],
  ['rows of the symbols', readAll('symbol')],
  ['rows set aside', readAll('quarantine')],
  ['ids', checkIds],
  ['derived columns', checkDerived],
  ['symbols', checkSymbols],
  ['keys of the symbols', checkKeys],
  ['journal', checkJournal],
]

function readAll(table: 'rating' | 'symbol' | 'quarantine'): Check {
  return async (db) => {
    await readTable(db, table)
    return []
  }
}

const say = (count: number, one: string, more: string): string[] =>
  count === 0 ? [] : [count === 1 ? `1 ${one}.` : `${count} ${more}.`]

async function checkIds(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ twice: number }>`
    select count(*) as twice from (
      select id from rating group by id having count(*) > 1
    ) as again`.execute(db)
  return say(rows[0]?.twice ?? 0, 'id occurs twice', 'ids occur more than once')
}

const COMPARED = [
  'prediction_value',
  'effective_until',
  'previous_rating',
  'previous_prediction',
  'previous_created_at',
  'quality',
] as const

async function checkDerived(db: Kysely<Tables>): Promise<string[]> {
  const counts = COMPARED.map(
    (name) => sql`
      count(*) filter (
        where ${sql.ref(`fresh.${name}`)} is distinct from ${sql.ref(`rating.${name}`)}
      ) as ${sql.ref(name)}`,
  )
  const { rows } = await sql<Record<(typeof COMPARED)[number] | 'early', number>>`
    select ${sql.join(counts)},
      count(*) filter (where rating.vanished_at < rating.created_at) as early
    from rating join (
      select place, ${DERIVED} from (
        select rowid as place, created_at, rating, action, prediction, expired_at, vanished_at,
          ${NEIGHBORS}
        from rating ${OWN}
      ) as every
    ) as fresh on fresh.place = rating.rowid`.execute(db)
  const [found] = rows
  if (!found) return []
  return [
    ...COMPARED.flatMap((name) =>
      say(found[name], `rating has a wrong ${name}`, `ratings have a wrong ${name}`),
    ),
    ...say(
      found.early,
      'rating vanished before it was posted',
      'ratings vanished before they were posted',
    ),
  ]
}

async function checkSymbols(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ other: number; split: number }>`
    select
      (select count(*) from (
        (select symbol_key, symbol from symbol
          except all select symbol_key, min(symbol) from rating group by symbol_key)
        union all
        (select symbol_key, min(symbol) from rating group by symbol_key
          except all select symbol_key, symbol from symbol)
      ) as differing) as other,
      (select count(*) from (
        select symbol from rating group by symbol having count(distinct symbol_key) > 1
      ) as several) as split`.execute(db)
  const [found] = rows
  return [
    ...say(
      found?.other ?? 0,
      'row of the symbols does not match the ratings',
      'rows of the symbols do not match the ratings',
    ),
    ...say(found?.split ?? 0, 'symbol is kept under two keys', 'symbols are kept under two keys'),
  ]
}

async function checkKeys(db: Kysely<Tables>): Promise<string[]> {
  const rows = await db.selectFrom('symbol').selectAll().execute()
  const wrong = rows.filter(
    ({ symbol, symbol_key: key, search_key }) =>
      key !== toSymbolKey(symbol) || search_key !== toSearchKey(key),
  )
  return say(wrong.length, 'symbol has a wrong key', 'symbols have a wrong key')
}

async function checkJournal(db: Kysely<Tables>): Promise<string[]> {
  const journals = await db.selectFrom('journal').selectAll().execute()
  const [journal] = journals
  if (!journal || journals.length > 1) return [`The journal has ${journals.length} rows, not one.`]
  const { ratings, highest } = await db
    .selectFrom('rating')
    .select((eb) => [
      eb.fn.countAll<number>().as('ratings'),
      eb.fn.max<number | null>('id').as('highest'),
    ])
    .executeTakeFirstOrThrow()
  const isNegative = [
    journal.generation,
    journal.last_inserted,
    journal.last_updated,
    journal.last_unchanged,
    journal.quarantine_dropped,
  ].some((count) => count < 0)
  const problems: [boolean, string][] = [
    [journal.schema_version !== SCHEMA_VERSION, 'The journal has a different version.'],
    [isNegative, 'A count of the journal is below 0.'],
    [
      journal.last_state === 'committed' && journal.last_inserted > ratings,
      'The journal counts more ratings in its last run than exist.',
    ],
    [ratings > 0 && journal.generation === 0, 'There are ratings without a commit.'],
    [
      (journal.covered_to_id ?? Number.NEGATIVE_INFINITY) > (highest ?? Number.NEGATIVE_INFINITY),
      'The last complete import covers more than the ratings.',
    ],
  ]
  return problems.flatMap(([isWrong, text]) => (isWrong ? [text] : []))
}

async function loadFigures(db: Kysely<Tables>): Promise<VerifiedFigures | null> {
  const { rows } = await sql<VerifiedFigures>`
    select
      (select count(*) from rating) as ratings,
      (select count(*) from symbol) as symbols,
      (select count(distinct user_id) from rating) as users,
      (select count(*) from rating where vanished_at is not null) as vanished,
      (select count(*) from quarantine) as quarantined,
      generation, complete_to as "completeTo"
    from journal limit 1`.execute(db)
  return rows[0] ?? null
}
