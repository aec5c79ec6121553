import { type Expression, expressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import type { UserRow } from '#lib/contract/answers/users.ts'
import type { UsersQuery } from '#lib/contract/other-queries.ts'
import type { ReadOptions, Rows } from './archive.ts'
import type { Engine } from './duckdb-engine.ts'
import type { Tables } from './tables.ts'

/** The members whose number begins with `q`, by the query's column, ties by number. */
export async function selectUsers(
  engine: Engine,
  query: UsersQuery,
  { signal }: ReadOptions,
): Promise<Rows<UserRow>> {
  const [total, rows] = await Promise.all([
    engine.read((db) => countUsers(db, query), signal),
    engine.read((db) => selectPage(db, query), signal),
  ])
  return { rows, total }
}

const eb = expressionBuilder<Tables, 'rating'>()

const beginsWith = (q: string): Expression<SqlBool> =>
  q === '' ? eb.lit(true) : sql<boolean>`position(cast(${q} as text) in cast(user_id as text)) = 1`

async function countUsers(db: Kysely<Tables>, { q }: UsersQuery): Promise<number> {
  const row = await db
    .selectFrom('rating')
    .select((eb) => eb.fn.count<number>('user_id').distinct().as('total'))
    .where(beginsWith(q))
    .executeTakeFirstOrThrow()
  return row.total
}

async function selectPage(db: Kysely<Tables>, query: UsersQuery): Promise<UserRow[]> {
  const { q, sort, page, per_page: perPage } = query
  return await db
    .selectFrom('rating')
    .select((eb) => [
      'user_id',
      eb.fn.countAll<number>().as('ratings'),
      // A member's first rating of a symbol has none before it.
      eb.fn.countAll<number>().filterWhere('previous_rating', 'is', null).as('symbols'),
      eb.fn.max('created_at').as('last_created_at'),
    ])
    .where(beginsWith(q))
    .groupBy('user_id')
    .orderBy(sort.column, sort.direction)
    .orderBy('user_id')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
}
