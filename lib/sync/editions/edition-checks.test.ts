import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, test } from 'vitest'
import { createDumpService, openTestEditions, RATINGS } from '#testing/sync/edition-store.ts'
import { DAY, makeFolder, toRating } from '#testing/sync/scripted-service.ts'
import { type Counts, compareEditions, createKeyTable, hashCells } from './edition-checks.ts'

type Table = { header: string[]; rows: string[][] }

const { signal } = new AbortController()
let written = 0

async function write(dir: string, { header, rows }: Table, newline = '\n') {
  written += 1
  const path = join(dir, `${written}.csv`)
  await writeFile(path, `${Papa.unparse([header, ...rows], { newline, quotes: true })}${newline}`)
  const columns = header.map((name) => ({ name, type: 'text' as const }))
  return { path, rows: rows.length, columns }
}

/** What the module promises, by maps of texts. */
function countNaively(before: Table, after: Table): Counts {
  const shared = before.header.filter((name) => after.header.includes(name))
  const texts = ({ header, rows }: Table) =>
    rows.map((row) => JSON.stringify(shared.map((name) => row[header.indexOf(name)])))
  if (!shared.includes('id')) {
    const left = texts(before)
    const added = texts(after).filter((text) => {
      const index = left.indexOf(text)
      if (index !== -1) left.splice(index, 1)
      return index === -1
    })
    return { added: added.length, changed: 0, gone: left.length }
  }
  const byId = (table: Table) => {
    const all = texts(table)
    return new Map(table.rows.map((row, at) => [row[table.header.indexOf('id')], all[at]]))
  }
  const [old, young] = [byId(before), byId(after)]
  const ids = [...young.keys()]
  return {
    added: ids.filter((id) => !old.has(id)).length,
    changed: ids.filter((id) => old.has(id) && old.get(id) !== young.get(id)).length,
    gone: [...old.keys()].filter((id) => !young.has(id)).length,
  }
}

const aCell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', 'é', '1'), maxLength: 3 })
const anId = fc.integer({ min: 1, max: 12 }).map(String)

const toTable = (names: string[], cells: string[][]): Table => {
  const header = [...names]
  return { header, rows: cells.map((row) => header.map((_, index) => row[index] ?? '')) }
}
const aTable = (withId: boolean) =>
  fc
    .tuple(
      fc.constantFrom(['a'], ['a', 'b'], ['b', 'a'], ['b', 'a', 'c']),
      fc.array(fc.tuple(anId, aCell, aCell, aCell), { maxLength: 15 }),
    )
    .map(([names, rows]) =>
      withId
        ? toTable(['id', ...names], rows)
        : toTable(
            ['x', ...names],
            rows.map(([, ...cells]) => ['x', ...cells]),
          ),
    )

describe('what changed from one edition to the next', () => {
  test.each([true, false])('is what a naive count says (by id: %s)', async (withId) => {
    const dir = await makeFolder()
    const someTables = fc.tuple(aTable(withId), aTable(withId), fc.constantFrom('\n', '\r\n'))
    await fc.assert(
      fc.asyncProperty(someTables, async ([before, after, newline]) => {
        const sides = { before: await write(dir, before), after: await write(dir, after, newline) }
        const found = await compareEditions({ ...sides, signal })
        expect(found).toEqual(countNaively(before, after))
      }),
      { numRuns: 150 },
    )
  })

  test('is found again whatever the order of rows and columns, and counts no new column', async () => {
    const dir = await makeFolder()
    const before = {
      header: ['id', 'a'],
      rows: [
        ['1', 'x'],
        ['2', 'y'],
        ['007', 'z'],
      ],
    }
    const after = {
      header: ['new', 'a', 'id'],
      rows: [
        ['9', 'z', '7'],
        ['9', 'Y', '2'],
        ['9', 'x', '1'],
        ['9', 'w', '3'],
      ],
    }
    const sides = { before: await write(dir, before), after: await write(dir, after) }
    const found = await compareEditions({ ...sides, signal })
    expect(found).toEqual({ added: 1, changed: 2, gone: 0 })
  })

  test('is given up when asked to', async () => {
    const dir = await makeFolder()
    const side = await write(dir, { header: ['id'], rows: [['1']] })
    const closing = new AbortController()
    closing.abort(new Error('closing'))
    const comparing = compareEditions({ before: side, after: side, signal: closing.signal })
    await expect(comparing).rejects.toThrow('closing')
  })

  test('is worked out behind an edition that is served, told meanwhile, and outlives a restart', async () => {
    const service = createDumpService()
    const { editions, clock, reopen } = await openTestEditions(service)
    await editions.ensure('posts')
    clock.at += 7 * DAY
    service.ratings = [...RATINGS.slice(1), toRating(101), toRating(102)]
    service.ratings[4] = toRating(6, { tally_agree: 9 })
    expect((await editions.ensure('posts')).changes).toBeNull()
    await editions.settled()
    const changes = { against: '2026-11-15', added: 2, changed: 1, gone: 1 }
    expect(editions.card('posts').changes).toEqual(changes)
    expect((await reopen()).list('posts')[0]?.changes).toEqual(changes)
  })

  test('is taken up again where a stop broke it off', async () => {
    const service = createDumpService()
    const { editions, clock, reopen } = await openTestEditions(service)
    await editions.ensure('posts')
    clock.at += 7 * DAY
    service.ratings = [...RATINGS, toRating(101)]
    await editions.ensure('posts')
    await editions.close()
    expect(editions.list('posts')[0]?.changes).toBeNull()
    const again = await reopen()
    await again.settled()
    expect(again.list('posts')[0]?.changes).toMatchObject({ added: 1, changed: 0, gone: 0 })
  })
})

describe('a table of keys', () => {
  test('holds what a map holds, however often it grows', async () => {
    const entries = fc.array(fc.tuple(fc.nat(3000), fc.nat(9)), { maxLength: 4000 })
    await fc.assert(
      fc.asyncProperty(entries, async (list) => {
        const table = createKeyTable(0)
        const map = new Map<number, number>()
        for (const [key, value] of list) {
          await table.reserve(1)
          table.set(table.put(key % 7, key), 1, value)
          map.set(key, value)
        }
        for (const [key, value] of map) expect(table.valueOf(table.find(key % 7, key))).toBe(value)
        expect(table.find(99, 99)).toBe(-1)
      }),
      { numRuns: 20 },
    )
  })

  test('refuses keys that are made to fall together, rather than to take for ever', async () => {
    const table = createKeyTable(10_000)
    await table.reserve(10_000)
    const fill = () => {
      for (let high = 0; high < 10_000; high += 1) table.set(table.put(high, 5), 1, 0)
    }
    expect(fill).toThrow(RangeError)
  })

  test('tells texts apart by where a cell ends', () => {
    const digests = [['ab', ''], ['a', 'b'], ['', 'ab'], ['ab'], ['b', 'a'], [], ['']].map(
      hashCells,
    )
    expect(new Set(digests.map(({ high, low }) => `${high} ${low}`)).size).toBe(7)
  })
})
