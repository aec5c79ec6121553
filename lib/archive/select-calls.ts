import { type Kysely, sql } from 'kysely'
import { CALL_SYMBOLS_MAX, CALLS_MAX, type Call, type Calls } from '#lib/contract/answers/record.ts'
import type { ReadOptions } from './archive.ts'
import { CALL_FIELDS } from './call-fields.ts'
import type { Engine } from './duckdb-engine.ts'
import type { Tables } from './tables.ts'

/**
 * The calls of a member by `at`: the latest {@link CALLS_MAX} on the {@link CALL_SYMBOLS_MAX} symbols most recently rated.
 * A symbol that none of them is on is left out. Null where the member had not rated.
 */
export async function selectCalls(
  engine: Engine,
  userId: number,
  { at, signal }: ReadOptions,
): Promise<Calls | null> {
  const rows = await engine.read((db) => selectLatest(db, userId, at), signal)
  const [first] = rows
  if (!first) return null
  const symbols = new Map<string, Call[]>()
  for (const row of rows) {
    const calls = symbols.get(row.symbol) ?? []
    if (calls.length === 0) symbols.set(row.symbol, calls)
    calls.unshift(toCall(row, at))
  }
  return {
    symbols: [...symbols].map(([symbol, calls]) => ({ symbol, calls })),
    symbols_total: first.symbols_total,
    calls_total: first.calls_total,
  }
}

/** The latest first, so that the symbols come in the order of their latest call. Texts are read of the drawn ones alone. */
async function selectLatest(db: Kysely<Tables>, userId: number, at: number) {
  return await db
    .with('own', () => selectOwn(db, userId, at))
    .with('drawn', (rest) =>
      rest
        .selectFrom('own')
        .select('symbol_key')
        .where('back', '=', 1)
        .orderBy('made_at', 'desc')
        .orderBy('own_id', 'desc')
        .limit(CALL_SYMBOLS_MAX),
    )
    .with('latest', (rest) =>
      rest
        .selectFrom('own')
        .where('symbol_key', 'in', rest.selectFrom('drawn').select('symbol_key'))
        .select(['own_id', 'next_at', 'calls_total', 'symbols_total'])
        .orderBy('made_at', 'desc')
        .orderBy('own_id', 'desc')
        .limit(CALLS_MAX),
    )
    .selectFrom('rating')
    .innerJoin('latest', 'own_id', 'rating.id')
    .innerJoin('symbol', 'symbol.symbol_key', 'rating.symbol_key')
    .select([...CALL_FIELDS, 'vanished_at', 'symbol.symbol'])
    .select(['next_at', 'calls_total', 'symbols_total'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

const selectOwn = (db: Kysely<Tables>, userId: number, at: number) =>
  db
    .selectFrom('rating')
    .select((eb) => [
      'id as own_id',
      'symbol_key',
      'created_at as made_at',
      sql<number>`count(*) over ()`.as('calls_total'),
      sql<number>`count(*) filter (${eb('previous_rating', 'is', null)}) over ()`.as(
        'symbols_total',
      ),
      sql<
        number | null
      >`lead(created_at) over (partition by symbol_key order by created_at, id)`.as('next_at'),
      sql<number>`row_number() over (partition by symbol_key order by created_at desc, id desc)`.as(
        'back',
      ),
    ])
    .where('user_id', '=', userId)
    .where('created_at', '<=', at)

type Row = Awaited<ReturnType<typeof selectLatest>>[number]

/** What the member posted after `at` had not ended anything yet. Renewed in the second in which it expires is renewed. */
function toCall(row: Row, at: number): Call {
  const { symbol: _symbol, calls_total: _calls, symbols_total: _symbols, ...call } = row
  const { expired_at, effective_until: until, next_at, vanished_at, ...fields } = call
  const expires = expired_at || null
  if (until > at) return { ...fields, until: expires, ended: null }
  const neverBegan = expires !== null && expires <= fields.created_at
  const isRenewed = next_at === until && !neverBegan
  const isVanished = vanished_at === until && expires !== until
  return { ...fields, until, ended: isRenewed ? 'renewed' : isVanished ? 'vanished' : 'expired' }
}
