import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, expect, test } from 'vitest'
import { toListSql } from '#lib/contract/database/open-in-sql.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { EVERY_RATING, type RatingsQuery, ratingsQuery } from '#lib/contract/ratings-query.ts'
import { ANY } from '#lib/contract/value-list.ts'
import { holdAgainstCounting } from '#testing/archive/against-counting.ts'
import { aRatingsQuery } from '#testing/archive/arbitrary.ts'
import { streamRatings } from '#testing/archive/stream-ratings.ts'
import { writeDatabase } from './write-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'bellwether-open-in-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function selectIds(path: string, sql: string): Promise<number[]> {
  const instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  try {
    const rows = (await connection.runAndReadAll(sql)).getRows()
    return rows.map(([id]) => Number(id))
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** The query without what its SQL names as left out. */
function withoutLeft(query: RatingsQuery, sql: string): RatingsQuery {
  const isLeft = (name: string) => sql.includes(`(${name})\n`)
  return {
    ...query,
    ...(isLeft('moved') && { moved: ANY, moved_from: null, moved_to: null }),
    ...(isLeft('expires') && { expires: ANY }),
    quality: isLeft('quality') ? withoutFlips(query.quality) : query.quality,
  }
}

function withoutFlips({ only, not }: RatingsQuery['quality']): RatingsQuery['quality'] {
  const isSaid = (names: readonly string[]) => !names.includes('flip_within_day')
  return { only: isSaid(only) ? only : [], not: isSaid(not) ? not : [] }
}

/** DuckDB's `upper` keeps ß, symbols are compared with SS. */
const isSpelledOtherwise = ({ symbol }: RatingsQuery) =>
  [...symbol.only, ...symbol.not].includes('STRASSE')

/** The file has no expiry of 0, so that those rows sort as if they had none. */
const isOrdered = ({ sort }: RatingsQuery) => !sort.column.startsWith('expired_at')

test('the SQL of a filter selects the rows of the list, in its order', async () => {
  let files = 0
  let selected = 0
  const effort = { communities: 30, questions: 8 }
  await holdAgainstCounting(aRatingsQuery, effort, async ({ archive, asked, at }) => {
    if (isSpelledOtherwise(asked)) return
    files += 1
    const path = join(folder, `${files}.duckdb`)
    await writeDatabase(archive.reader, { path, tables: 'all', toName: () => null, at })
    const query = { ...asked, page: 1, per_page: EVERY_RATING.per_page }
    const sql = toListSql('ratings', toParams(ratingsQuery, query), at) ?? ''
    const expected = []
    for await (const batch of streamRatings(archive, withoutLeft(query, sql), { at })) {
      expected.push(...batch.map(({ id }) => id))
    }
    const ids = await selectIds(path, sql)
    const toComparable = (all: readonly number[]) =>
      isOrdered(query) ? all : [...all].sort((a, b) => a - b)
    expect(toComparable(ids), sql).toEqual(toComparable(expected))
    selected += ids.length
  })
  expect(selected).toBeGreaterThan(200)
})
