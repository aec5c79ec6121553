import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import Papa from 'papaparse'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import { selectDifferences } from '#lib/archive/editions/differences.ts'
import {
  DIFFERENCE_KINDS,
  type DifferencesQuery,
  EVERY_DIFFERENCE,
} from '#lib/contract/lists/edition-differences.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import { nodeDisk } from '#lib/sync/disk.ts'
import type { KeptEdition } from '#lib/sync/sync.ts'
import { openMemory } from '#testing/archive/arbitrary.ts'
import { draws } from '#testing/draws.ts'
import { compareNaively, type NaiveRating, type Table } from '#testing/sync/differences-oracle.ts'
import {
  createDumpService,
  createFailingDisk,
  openTestEditions,
  RATINGS,
} from '#testing/sync/edition-store.ts'
import { DAY, makeFolder, toRating } from '#testing/sync/scripted-service.ts'
import { createKeptDifferences } from './kept-differences.ts'

let archive: Archive
beforeAll(async () => {
  archive = await openMemory()
})
afterAll(async () => await archive.close())

const { signal } = new AbortController()
const FETCHED = 1_795_000_000

type CsvTable = Table & { isQuoted: boolean; newline: string }

async function write(dir: string, edition: string, table: CsvTable): Promise<KeptEdition> {
  const path = join(dir, `posts-${edition}.csv`)
  const { header, rows, isQuoted, newline } = table
  const text = isQuoted
    ? Papa.unparse(
        { fields: [...header], data: rows.map((row) => [...row]) },
        { newline, quotes: true },
      )
    : [header, ...rows].map((cells) => cells.join(',')).join(newline)
  await writeFile(path, `${text}${newline}`)
  const ids = rows.map((row) => Number(row[header.indexOf('id')]))
  const isWhole = ids.length > 0 && ids.every((id) => Number.isSafeInteger(id) && id >= 0)
  return {
    edition,
    path,
    rows: rows.length,
    fetched_at: FETCHED,
    kind: 'posts',
    bytes: 0,
    sha256: `${edition} ${text}`,
    next_due_at: 0,
    fileName: '',
    firstRows: [],
    validators: { etag: null, lastModified: null },
    unchanged: false,
    changes: null,
    newestCreatedAt: null,
    confirms: false,
    reason: null,
    columns: header.map((name) => ({ name, type: 'text' })),
    ids: isWhole ? { lowest: Math.min(...ids), highest: Math.max(...ids) } : null,
  }
}

async function makeDifference(
  { before, after, earlier = [] }: { before: CsvTable; after: CsvTable; earlier?: CsvTable[] },
  marked: readonly number[] = [],
) {
  const dir = await makeFolder()
  const [first, second] = ['2026-11-08', '2026-11-15']
  const from = await write(dir, first ?? '', before)
  const to = await write(dir, second ?? '', after)
  const older = await Promise.all(
    earlier.map(async (table, index) => await write(dir, `2026-0${index + 1}-01`, table)),
  )
  const kept = createKeptDifferences({
    dir,
    disk: nodeDisk,
    log: () => undefined,
    editions: () => [from, to, ...older],
    selectMarked: async (ids) => new Set(ids.filter((id) => marked.includes(id))),
  })
  return { dir, kept, from, to, found: await kept.make(from, to, { signal }) }
}

const EVERY: DifferencesQuery = { ...EVERY_DIFFERENCE, per_page: 500 }

async function read(path: string, query: DifferencesQuery = EVERY): Promise<NaiveRating[]> {
  const { rows } = await selectDifferences(archive.reader, { path, query }, { signal: undefined })
  return rows.map(({ id_text: id, kind, symbol, changes }) => ({ id, kind, symbol, changes }))
}

const inOrder = (ratings: readonly NaiveRating[]) =>
  [...ratings].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

const aStrange = fc.string({
  unit: fc.constantFrom('a', '"', ',', '\n', '\r\n', 'é', '😀', '\ufeff', '\u001f', '=', '\u202e'),
  maxLength: 3,
})
const aPlain = fc.string({ unit: fc.constantFrom('a', '1', ' ', ';', 'é', '😀'), maxLength: 2 })
const anId = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1, max: 30 }).map(String) },
  fc.constantFrom('007', '+3', '-3', '', 'x', '3.0', '9223372036854775808'),
)
const aNumber = fc.constantFrom('', '0', '1', '2', '1700000000', '1800000000', 'x')

const aRow = (isQuoted: boolean) => {
  const aText = isQuoted ? aStrange : aPlain
  const aCell = (name: string) =>
    name === 'id'
      ? anId
      : name.startsWith('tally') || name === 'expired_at'
        ? aNumber
        : fc.constantFrom('a', 'b').chain((usual) => fc.oneof(fc.constant(usual), aText))
  return fc.tuple(...[...RATING_FIELDS, 'extra'].map(aCell))
}

type Step = { what: 'keep' | 'drop' | 'votes' | 'end' | 'edit' | 'short'; value: string }
const aStep: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('keep', 'keep', 'drop', 'votes', 'end', 'edit', 'short'),
  value: aNumber,
})

function change(row: readonly string[], { what, value }: Step): string[][] {
  const at = (name: string) => [...RATING_FIELDS, 'extra'].indexOf(name)
  const set = (name: string) => row.map((cell, index) => (index === at(name) ? value : cell))
  if (what === 'drop') return []
  if (what === 'votes') return [set('tally_agree')]
  if (what === 'end') return [set('expired_at')]
  if (what === 'edit') return [set('prediction')]
  return [what === 'short' ? row.slice(0, -1) : [...row]]
}

function arrange(rows: readonly string[][], order: readonly number[]): Table {
  const names = [...RATING_FIELDS, 'extra']
  return {
    header: order.map((index) => names[index] ?? ''),
    rows: rows
      .map((row) => {
        const cells = order.map((index) => row[index])
        const end = cells.indexOf(undefined)
        return cells.slice(0, end === -1 ? undefined : end).map((cell) => cell ?? '')
      })
      .filter((cells) => cells.join('') !== ''),
  }
}

const NAMES = RATING_FIELDS.length + 1
const anOrder = fc.oneof(
  fc.constant(Array.from({ length: NAMES }, (_, index) => index)),
  fc.constant(Array.from({ length: NAMES - 1 }, (_, index) => index)),
  fc.shuffledSubarray(
    Array.from({ length: NAMES }, (_, index) => index),
    { minLength: NAMES },
  ),
)

const aPair = fc.tuple(fc.boolean(), fc.boolean()).chain(([isQuoted, isQuotedToo]) => {
  const rows = fc.array(aRow(isQuoted), { maxLength: 15 })
  const isAlike = isQuotedToo || !isQuoted
  return fc
    .record({
      rows,
      steps: fc.array(aStep, { minLength: 15, maxLength: 15 }),
      more: fc.array(aRow(isAlike ? isQuotedToo : false), { maxLength: 4 }),
      older: fc.array(aRow(isQuoted), { maxLength: 6 }),
      orders: fc.tuple(anOrder, anOrder),
      newline: fc.constantFrom('\n', '\r\n'),
      isSorted: fc.boolean(),
      marked: fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 5 }),
    })
    .map((drawn) => {
      const sort = (some: string[][]) =>
        drawn.isSorted ? [...some].sort((a, b) => Number(a[0]) - Number(b[0])) : some
      const all = sort(drawn.rows)
      const kept = all.flatMap((row, index) =>
        change(row, drawn.steps[index] ?? { what: 'keep', value: '' }),
      )
      const shared = { newline: drawn.newline }
      const isAfterQuoted = isQuoted || isQuotedToo
      return {
        before: { ...arrange(all, drawn.orders[0]), ...shared, isQuoted },
        after: {
          ...arrange(sort([...kept, ...drawn.more]), drawn.orders[1]),
          ...shared,
          isQuoted: isAfterQuoted,
        },
        earlier: [{ ...arrange(drawn.older, drawn.orders[0]), ...shared, isQuoted }],
        marked: drawn.marked,
      }
    })
})

describe('the difference of two editions', () => {
  test('is what a plain comparison of the files says, and its counts are its rows', async () => {
    await fc.assert(
      fc.asyncProperty(aPair, async ({ marked, ...files }) => {
        const { found } = await makeDifference(files, marked)
        const naive = compareNaively(files.before, files.after, {
          earlier: files.earlier,
          marked: marked.map(String),
          fetchedAt: FETCHED,
        })
        const rows = await read(found.path)
        expect(inOrder(rows)).toEqual(inOrder(naive))
        for (const kind of DIFFERENCE_KINDS) {
          expect(found.kinds[kind]).toBe(rows.filter((row) => row.kind === kind).length)
        }
        await rm(join(found.path, '../..'), { recursive: true, force: true })
      }),
      { numRuns: draws(200) },
    )
  })

  test('has each kind as a reader would call it', async () => {
    const row = (id: number, change: Partial<Record<string, string>> = {}) =>
      RATING_FIELDS.map(
        (name) => change[name] ?? { id: `${id}`, expired_at: '0' }[name as string] ?? 'x',
      )
    const table = (rows: string[][]) => ({
      header: [...RATING_FIELDS],
      rows,
      isQuoted: false,
      newline: '\n',
    })
    const { found } = await makeDifference(
      {
        before: table([row(1), row(2), row(3), row(4), row(5)]),
        after: table([
          row(1, { prediction: '9.5' }),
          row(2, { expired_at: '1700000000', expired_at_date: 'y', tally_agree: '7' }),
          row(4, { tally_comment: '3' }),
          row(5),
          row(6),
          row(7),
          row(8, { created_at: '1700000000' }),
        ]),
        earlier: [table([row(6)])],
      },
      [8],
    )
    expect((await read(found.path)).map(({ id, kind }) => `${id} ${kind}`)).toEqual([
      ...['1 edited', '2 ended_early', '3 vanished'],
      ...['8 returned', '6 returned', '7 new', '4 votes'],
    ])
    expect(found.kinds).toEqual({
      edited: 1,
      ended_early: 1,
      vanished: 1,
      returned: 2,
      new: 1,
      votes: 1,
    })
  })

  test('names the columns that only one edition has, and compares the others', async () => {
    const shared = { isQuoted: false, newline: '\n' }
    const header = [...RATING_FIELDS]
    const cells = header.map((name) => (name === 'id' ? '1' : 'x'))
    const { found } = await makeDifference({
      before: { ...shared, header: [...header, 'mood'], rows: [[...cells, 'good']] },
      after: { ...shared, header: ['note', ...header], rows: [['n', ...cells]] },
    })
    expect([found.onlyFrom, found.onlyTo]).toEqual([['mood'], ['note']])
    expect(await read(found.path)).toEqual([])
  })

  test('cuts long texts, says where the key stood, and finds symbols in upper case', async () => {
    const table = (prediction: string) => ({
      header: [...RATING_FIELDS],
      rows: [
        RATING_FIELDS.map(
          (name) => ({ id: '1', symbol: 'stra\u00dfe', prediction })[name as string] ?? 'x',
        ),
      ],
      isQuoted: false,
      newline: '\n',
    })
    const { found } = await makeDifference({
      before: table('\u00e9'.repeat(501)),
      after: table(`a${'\u007f'.repeat(9)}`),
    })
    const symbol = { only: ['STRASSE'], not: [] }
    expect((await read(found.path, { ...EVERY, symbol }))[0]).toMatchObject({
      symbol: 'stra\u00dfe',
      changes: [{ field: 'prediction', before: `${'\u00e9'.repeat(500)}\u2026`, after: 'a[key]' }],
    })
  })

  test('is computed once, and again if its file is damaged, truncated or of a different version', async () => {
    const table = (id: string) => ({
      header: [...RATING_FIELDS],
      rows: [RATING_FIELDS.map((name) => (name === 'id' ? id : 'x'))],
      isQuoted: false,
      newline: '\n',
    })
    const { dir, from, to, found } = await makeDifference({ before: table('1'), after: table('2') })
    const logged: string[] = []
    const make = async () => {
      logged.length = 0
      const kept = createKeptDifferences({
        dir,
        disk: nodeDisk,
        editions: () => [from, to],
        log: (message) => void logged.push(message),
        selectMarked: async () => new Set(),
      })
      const again = await kept.make(from, to, { signal })
      expect((await read(again.path)).map(({ id, kind }) => `${id} ${kind}`)).toEqual([
        ...['1 vanished', '2 new'],
      ])
      return logged.includes('two editions were compared in full')
    }
    expect(await make()).toBe(false)
    const bytes = await readFile(found.path)
    bytes[20] = (bytes[20] ?? 0) ^ 1
    await writeFile(found.path, bytes)
    expect(await make()).toBe(true)
    await truncate(found.path, 50)
    expect(await make()).toBe(true)
    const sidecar = found.path.replace('.parquet', '.json')
    await writeFile(
      sidecar,
      (await readFile(sidecar, 'utf8')).replace('"version":1', '"version":0'),
    )
    expect(await make()).toBe(true)
    await rm(sidecar)
    expect(await make()).toBe(true)
    expect((await readdir(dir)).filter((name) => name.startsWith('posts.'))).toEqual([])
  })

  test('is one however many ask for it at once, and goes with its editions', async () => {
    const service = createDumpService()
    const { editions, clock, dir } = await openTestEditions(service, { keep: 2 })
    await editions.ensure('posts')
    expect(await editions.difference({ from: null, to: null })).toBeNull()
    clock.at += 7 * DAY
    service.ratings = [...RATINGS.slice(1), toRating(101), toRating(102)]
    service.ratings[4] = toRating(6, { tally_agree: 9 })
    await editions.ensure('posts')
    const both = { from: '2026-11-15', to: '2026-11-22' }
    const asked = [both, both, { from: null, to: null }]
    const found = await Promise.all(asked.map(async (one) => await editions.difference(one)))
    const kinds = { edited: 0, ended_early: 0, vanished: 1, returned: 0, new: 2, votes: 1 }
    for (const one of found) expect(one).toMatchObject({ path: found[0]?.path, kinds })
    await editions.settled()
    expect(editions.card('posts').changes).toEqual({
      against: '2026-11-15',
      added: 2,
      changed: 1,
      gone: 1,
    })
    await expect(editions.difference({ from: '2026-11-08', to: null })).rejects.toMatchObject({
      fault: 'not_found',
    })
    clock.at += 7 * DAY
    service.ratings = [...service.ratings, toRating(103)]
    await editions.ensure('posts')
    await editions.settled()
    expect((await readdir(join(dir, 'differences'))).sort()).toEqual([
      ...['2026-11-22_2026-11-29.json', '2026-11-22_2026-11-29.parquet'],
    ])
  })

  test('is left whole or not at all where the disk is full', async () => {
    const table = (id: string) => ({
      header: [...RATING_FIELDS],
      rows: [RATING_FIELDS.map((name) => (name === 'id' ? id : 'x'))],
      isQuoted: false,
      newline: '\n',
    })
    const { dir, from, to } = await makeDifference({ before: table('1'), after: table('2') })
    await rm(join(dir, 'differences'), { recursive: true })
    let isOver = false
    for (let at = 1; !isOver; at += 1) {
      const { disk, steps } = createFailingDisk((step) => {
        if (step === at) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      })
      const options = { dir, log: () => undefined, editions: () => [from, to] }
      const selectMarked = async () => new Set<number>()
      const failing = createKeptDifferences({ ...options, disk, selectMarked })
      const made = failing.make(from, to, { signal }).then(
        () => true,
        () => false,
      )
      isOver = (await made) && steps() < at
      const sound = createKeptDifferences({ ...options, disk: nodeDisk, selectMarked })
      await sound.tidy()
      const names = await readdir(join(dir, 'differences')).catch(() => [])
      expect(names.filter((name) => name.endsWith('.part'))).toEqual([])
      expect((await sound.make(from, to, { signal })).kinds).toMatchObject({ vanished: 1, new: 1 })
      await rm(join(dir, 'differences'), { recursive: true })
    }
  })
})
