import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, expect, test } from 'vitest'
import { selectSymbols } from '#lib/archive/symbols/symbols.ts'
import { toListSql } from '#lib/contract/database/open-in-sql.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { EVERY_RATING, type RatingsQuery, ratingsQuery } from '#lib/contract/ratings-query.ts'
import { ANY } from '#lib/contract/value-list.ts'
import { holdAgainstCounting } from '#testing/archive/against-counting.ts'
import {
  aRatingsQuery,
  importRows,
  makeRating,
  openMemory,
  START,
} from '#testing/archive/arbitrary.ts'
import { LEAGUE } from '#testing/archive/league-oracle.ts'
import { streamRatings } from '#testing/archive/stream-ratings.ts'
import { writeDatabase } from './write-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'bellwether-open-in-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function selectFirst(path: string, sql: string): Promise<unknown[]> {
  const instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  try {
    const rows = (await connection.runAndReadAll(sql)).getRows()
    return rows.map(([first]) => first)
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

/** The file has no expiry of 0, so that those rows sort as if they had none. */
const isOrdered = ({ sort }: RatingsQuery) => !sort.column.startsWith('expired_at')

test('the SQL of a filter selects the rows of the list, in its order', async () => {
  let files = 0
  let selected = 0
  const effort = { communities: 30, questions: 8 }
  await holdAgainstCounting(aRatingsQuery, effort, async ({ archive, asked, at }) => {
    files += 1
    const path = join(folder, `${files}.duckdb`)
    await writeDatabase(archive.reader, { path, tables: 'all', toName: () => null, at })
    const query = { ...asked, page: 1, per_page: EVERY_RATING.per_page }
    const sql = toListSql('ratings', toParams(ratingsQuery, query), at) ?? ''
    const expected = []
    for await (const batch of streamRatings(archive, withoutLeft(query, sql), { at })) {
      expected.push(...batch.map(({ id }) => id))
    }
    const ids = (await selectFirst(path, sql)).map(Number)
    const toComparable = (all: readonly number[]) =>
      isOrdered(query) ? all : [...all].sort((a, b) => a - b)
    expect(toComparable(ids), sql).toEqual(toComparable(expected))
    selected += ids.length
  })
  expect(selected).toBeGreaterThan(200)
})

test('the SQL of symbols and calls finds every spelling when the list does', async () => {
  const archive = await openMemory()
  const spellings = ['Straße', 'STRASSE', 'strasse', 'Chambéry', 'CHAMBE\u0301RY', 'CHAMBERY', 'X']
  await importRows(
    archive,
    spellings.map((symbol, id) => makeRating({ id, symbol, user_id: id })),
  )
  const day = Math.floor(START / 86_400)
  await archive.prices.replace(async (append) => {
    for (const symbol of ['straße', 'chambe\u0301ry']) {
      await append([0, 1, 2, 3].map((after) => ({ symbol, day: day + after, close: '7.5' })))
    }
  })
  const at = START + 86_400
  const path = join(folder, 'spellings.duckdb')
  await writeDatabase(archive.reader, { path, tables: 'all', toName: () => null, at })
  const select = async (of: 'ratings' | 'symbols' | 'calls', query: string) => {
    const sql = toListSql(of, new URLSearchParams(query), at) ?? ''
    return (await selectFirst(path, sql)).map(String)
  }
  for (const symbol of ['STRASSE', 'straße', 'Strasse']) {
    expect((await select('ratings', `symbol=${symbol}`)).toSorted()).toEqual(['0', '1', '2'])
    expect((await select('calls', `symbol=${symbol}`)).toSorted()).toEqual(['0', '1', '2'])
  }
  expect((await select('ratings', 'symbol=chambéry')).toSorted()).toEqual(['3', '4'])
  for (const q of ['chambery', 'Chambéry', 'CHAMBE\u0301RY', 'straße', 'STRASS', 'ß']) {
    const query = { ...LEAGUE, q }
    const { rows } = await selectSymbols(archive.reader, query, { at })
    expect(await select('symbols', `q=${q}&sort=symbol`), q).toEqual(
      rows.map(({ symbol }) => symbol).toSorted(),
    )
    expect(rows.length, q).toBeGreaterThan(0)
  }
  const joined = 'SELECT count(*) FROM calls JOIN prices USING (symbol_key)'
  expect(await selectFirst(path, joined)).toEqual([20n])
  await archive.close()
})
