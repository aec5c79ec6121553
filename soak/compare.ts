import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { openEngine } from '#lib/archive/engine/duckdb-engine.ts'
import { NEVER, type Tables } from '#lib/archive/engine/tables.ts'
import { readEveryBlock, verifyArchive } from '#lib/archive/lifecycle/integrity-check.ts'
import type { Rating } from '#lib/contract/rating.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import { parseLedgerLine } from '#lib/upstream/ledger.ts'

export type ExpectedRatings = {
  ratings: ReadonlyMap<number, Rating>
  vanished: ReadonlyMap<number, Rating>
}

export type Expected = ExpectedRatings & {
  requests: number
}

export async function compare(dataDir: string, expected: Expected): Promise<string[]> {
  return [
    ...(await compareArchive(join(dataDir, 'archive.duckdb'), expected)),
    ...(await compareLedger(dataDir, expected.requests)),
    ...(await listLeftovers(dataDir)),
  ]
}

export async function compareArchive(path: string, expected: ExpectedRatings): Promise<string[]> {
  const engine = await openEngine({ path, memoryLimit: '512MB', threads: 2, isReadOnly: true })
  try {
    const { db } = engine.writer
    await readEveryBlock(db)
    return [
      ...(await compareRatings(db, expected)),
      ...(await compareDerived(db)),
      ...(await verifyArchive(db)).problems,
    ]
  } finally {
    await engine.close()
  }
}

async function compareRatings(db: Kysely<Tables>, expected: ExpectedRatings): Promise<string[]> {
  const rows = await db
    .selectFrom('rating')
    .select([...RATING_FIELDS, 'vanished_at'])
    .execute()
  const seen = new Set<number>()
  const wrong = { twice: 0, unknown: 0, different: 0, marked: 0 }
  for (const row of rows) {
    if (seen.has(row.id)) wrong.twice += 1
    seen.add(row.id)
    const listed = expected.ratings.get(row.id)
    const source = listed ?? expected.vanished.get(row.id)
    if (!source) wrong.unknown += 1
    else if (RATING_FIELDS.some((name) => row[name] !== source[name])) wrong.different += 1
    if ((row.vanished_at === null) !== (listed !== undefined)) wrong.marked += 1
  }
  const missing = [...expected.ratings.keys(), ...expected.vanished.keys()].filter(
    (id) => !seen.has(id),
  ).length
  return Object.entries({ ...wrong, missing }).flatMap(([what, count]) =>
    count === 0 ? [] : [`${count} ratings ${what}`],
  )
}

/** Computes derived values independently. */
async function compareDerived(db: Kysely<Tables>): Promise<string[]> {
  const never = sql.lit(NEVER)
  const { rows } = await sql<{ ratings: number; symbols: number }>`
    with again as (
      select id, least(
          case when expired_at > 0 then expired_at else ${never} end,
          coalesce(lead(created_at) over own, ${never}), coalesce(vanished_at, ${never})) as until,
        lag(rating) over own as rating_before, lag(prediction) over own as prediction_before,
        lag(created_at) over own as created_before
      from rating window own as (partition by user_id, symbol_key order by created_at, id)
    )
    select count(*) as ratings, (
      select count(*) from (
        select symbol_key, min(symbol) as name from rating group by symbol_key) as each
      full join symbol on symbol.symbol_key = each.symbol_key
      where symbol.symbol is distinct from each.name) as symbols
    from rating join again on again.id = rating.id
    where effective_until is distinct from until or previous_rating is distinct from rating_before
      or previous_prediction is distinct from prediction_before
      or previous_created_at is distinct from created_before
      or prediction_value is distinct from cast(prediction as decimal(18, 6))`.execute(db)
  const [wrong] = rows
  return wrong && wrong.ratings + wrong.symbols === 0
    ? []
    : [`${wrong?.ratings} ratings and ${wrong?.symbols} symbols derived wrongly`]
}

/** Requests are recorded before they are sent: the ledger may hold more, never fewer. */
async function compareLedger(dataDir: string, requests: number): Promise<string[]> {
  const months = new Map<string, number>()
  const text = await readFile(join(dataDir, 'requests.log'), 'utf8')
  for (const line of text.split('\n')) {
    const spent = parseLedgerLine(line)
    if (spent) months.set(spent.month, Math.max(months.get(spent.month) ?? 0, spent.ordinal))
  }
  const counted = [...months.values()].reduce((sum, count) => sum + count, 0)
  return counted >= requests ? [] : [`the ledger knows ${counted} of ${requests} requests`]
}

const LEFTOVER = /\.(?:part|new|tmp|next|exports|wal)(?:$|\.)|damaged/

async function listLeftovers(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir, { recursive: true })
  return names.filter((name) => LEFTOVER.test(name)).map((name) => `${name} is left over`)
}
