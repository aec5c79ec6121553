import { expect, test } from 'vitest'
import { importRows, makeRating, openMemory, START } from '#testing/archive/arbitrary.ts'
import { selectListed } from './listing.ts'

async function openWith(symbols: readonly string[]) {
  const archive = await openMemory()
  await importRows(
    archive,
    symbols.map((symbol, index) =>
      makeRating({ id: index + 1, user_id: index % 3, symbol, created_at: START + index }),
    ),
  )
  return archive
}

const at = START + 1000

test('every symbol and user is listed once, stretch by stretch, and nobody before his first rating', async () => {
  const archive = await openWith(['B', 'a', 'C', 'A', 'Ü'])
  const symbols = async (offset: number) =>
    await selectListed(archive.reader, { kind: 'symbol', offset, limit: 2 }, { at })
  const [first, second, behind] = [await symbols(0), await symbols(2), await symbols(4)]
  expect([first.total, behind.rows]).toEqual([4, []])
  expect([...first.rows, ...second.rows]).toEqual([
    { name: 'A', last_created_at: START + 3 },
    { name: 'B', last_created_at: START },
    { name: 'C', last_created_at: START + 2 },
    { name: 'Ü', last_created_at: START + 4 },
  ])
  const users = await selectListed(
    archive.reader,
    { kind: 'user', offset: 0, limit: 9 },
    { at: START },
  )
  expect(users).toEqual({ rows: [{ name: '0', last_created_at: START }], total: 1 })
  await archive.close()
})
