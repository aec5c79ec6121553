import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, test } from 'vitest'
import type { ChangeCounts } from '#lib/archive/editions/join-editions.ts'
import { draws } from '#testing/draws.ts'
import { createDumpService, openTestEditions, RATINGS } from '#testing/sync/edition-store.ts'
import { DAY, makeFolder, toRating } from '#testing/sync/scripted-service.ts'
import { countEditionChanges } from './compare-editions.ts'

type Table = { header: string[]; rows: string[][]; isQuoted?: boolean; newline?: string }

const { signal } = new AbortController()
let written = 0

async function write(dir: string, { header, rows, isQuoted = true, newline = '\n' }: Table) {
  written += 1
  const path = join(dir, `${written}.csv`)
  const text = isQuoted
    ? Papa.unparse([header, ...rows], { newline, quotes: true })
    : [header, ...rows].map((cells) => cells.join(',')).join(newline)
  await writeFile(path, `${text}${newline}`)
  return { path, rows: rows.length }
}

const toNumberText = (id: string) => id.replace(/^[+]?0*(\d+)$/, '$1')

function countNaively(before: Table, after: Table): ChangeCounts {
  const shared = before.header.filter((name) => after.header.includes(name))
  const texts = ({ header, rows }: Table) =>
    rows.map((row) => JSON.stringify(shared.map((name) => row[header.indexOf(name)] ?? '')))
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
    const at = table.header.indexOf('id')
    return new Map(table.rows.map((row, index) => [toNumberText(row[at] ?? ''), all[index]]))
  }
  const [old, young] = [byId(before), byId(after)]
  const ids = [...young.keys()]
  return {
    added: ids.filter((id) => !old.has(id)).length,
    changed: ids.filter((id) => old.has(id) && old.get(id) !== young.get(id)).length,
    gone: [...old.keys()].filter((id) => !young.has(id)).length,
  }
}

const aStrangeCell = fc.string({
  unit: fc.constantFrom('a', '"', ',', '\n', '\r\n', 'é', '😀', '1', '\u001e', '\u001f', '\u0000'),
  maxLength: 3,
})
const aPlainCell = fc.string({
  unit: fc.constantFrom('a', '1', ' ', ';', '\t', 'é', '😀'),
  maxLength: 2,
})
const anId = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 12 }).map(String) },
  fc.constantFrom('007', '+3', '-3', '00', '', 'x', '3.0', ' 3', '9223372036854775808', '٣'),
)
const HEADERS = [['a'], ['a', 'b'], ['b', 'a'], ['b', 'a', 'c'], ['A', 'a']]

const aTable = (withId: boolean): fc.Arbitrary<Table> =>
  fc.boolean().chain((isQuoted) => {
    const aCell = isQuoted ? aStrangeCell : aPlainCell
    const aRow = fc.tuple(anId, aCell, aCell, aCell, fc.integer({ min: 0, max: 9 }))
    const drawn = {
      names: fc.constantFrom(...HEADERS),
      newline: fc.constantFrom('\n', '\r\n'),
      rows: fc.array(aRow, { maxLength: 15 }),
      isSorted: fc.boolean(),
      isRagged: fc.boolean(),
    }
    return fc.record(drawn).map(({ names, newline, rows, isSorted, isRagged }) => {
      const header = [withId ? 'id' : 'x', ...names]
      const inOrder = isSorted ? [...rows].sort((a, b) => Number(a[0]) - Number(b[0])) : rows
      const cells = inOrder.map(([id, a, b, c, luck]) => {
        const length = isRagged && luck === 0 ? header.length - 1 : header.length
        return [withId ? id : 'x', a, b, c].slice(0, Math.max(1, length))
      })
      return { header, rows: cells.filter((row) => row.join('').trim() !== ''), isQuoted, newline }
    })
  })

const somePairs = (withId: boolean) =>
  fc.tuple(aTable(withId), aTable(withId), fc.nat(15)).map(([before, after, kept]) => {
    const rows = [...before.rows.slice(kept), ...after.rows]
    const isAlike = before.isQuoted === after.isQuoted || after.isQuoted === true
    return { before, after: isAlike ? { ...after, header: before.header, rows } : after }
  })

describe('what changed from one edition to the next', () => {
  test.each([true, false])(
    'is what a naive count says (by id: %s)',
    async (withId) => {
      const dir = await makeFolder()
      const spillPath = join(dir, 'comparing')
      await fc.assert(
        fc.asyncProperty(somePairs(withId), async ({ before, after }) => {
          const sides = { before: await write(dir, before), after: await write(dir, after) }
          const found = await countEditionChanges({ ...sides, spillPath, signal })
          expect(found).toEqual(countNaively(before, after))
        }),
        { numRuns: draws(150) },
      )
    },
    60_000,
  )

  test('a record of blank cells counts as no row', async () => {
    const dir = await makeFolder()
    const before = await write(dir, { header: ['id', 'a'], rows: [] })
    const after = await write(dir, { header: ['id', 'a'], rows: [['', '', '\r\n']] })
    const spillPath = join(dir, 'comparing')
    const found = await countEditionChanges({ before, after, spillPath, signal })
    expect(found).toEqual({ added: 0, changed: 0, gone: 0 })
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
    const found = await countEditionChanges({ ...sides, spillPath: join(dir, 'comparing'), signal })
    expect(found).toEqual({ added: 1, changed: 2, gone: 0 })
  })

  test('is given up when asked to, at whichever file, and nothing of it stays', async () => {
    const dir = await makeFolder()
    const spillPath = join(dir, 'comparing')
    const rows = Array.from({ length: 5000 }, (_, id) => [`${id}`, 'x'.repeat(50)])
    for (const isQuoted of [true, false]) {
      const side = await write(dir, { header: ['id', 'a'], rows, isQuoted })
      for (const calls of [0, 1, 2]) {
        const closing = new AbortController()
        const close = () => closing.abort(new Error('closing'))
        let left = calls
        if (left === 0) close()
        const comparing = countEditionChanges({
          before: side,
          after: side,
          spillPath,
          signal: closing.signal,
          onProgress() {
            left -= 1
            if (left === 0) close()
          },
        })
        await expect(comparing).rejects.toThrow('closing')
        expect(await readdir(dir)).not.toContain('comparing')
      }
    }
  })

  test('is told of a file that is cut inside quotes, as it was when it came', async () => {
    const dir = await makeFolder()
    const side = await write(dir, { header: ['id', 'a'], rows: [['1', 'x']] })
    await writeFile(side.path, 'id,a\n1,"x')
    const sides = { before: side, after: side, spillPath: join(dir, 'comparing') }
    await expect(countEditionChanges({ ...sides, signal })).rejects.toThrow('cut short')
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
