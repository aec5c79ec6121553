import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { toDateText } from '#lib/contract/instant-text.ts'
import { parseCsvRating, type Rating } from '#lib/contract/rating.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import { draws } from '#testing/draws.ts'
import { makeFolder, NOON, openService } from '#testing/service/open-service.ts'
import { createRowReader } from './csv-posts.ts'

const toRating = (id: number, changes: Partial<Rating> = {}): Rating => ({
  id,
  user_id: 7,
  symbol: 'AAPL',
  rating: 4,
  rating_label: 'Moderate Buy',
  action: 1,
  action_label: 'Initiated',
  prediction: '12.50',
  tally_agree: 1,
  tally_disagree: 2,
  tally_comment: 3,
  created_at: 1_700_000_000,
  created_at_date: toDateText(1_700_000_000),
  expired_at: 1_710_000_000,
  expired_at_date: toDateText(1_710_000_000),
  ...changes,
})

const toCsv = (
  rows: readonly object[],
  newline = '\n',
  columns: readonly string[] = RATING_FIELDS,
) => Papa.unparse([...rows], { columns: [...columns], newline })

async function openCsv(posts: string | Uint8Array, lookups?: string) {
  const folder = await makeFolder()
  const source = { kind: 'csv' as const, posts: join(folder, 'posts.csv') }
  await writeFile(source.posts, posts)
  if (lookups === undefined) return await openService({ source })
  await writeFile(join(folder, 'lookups.csv'), lookups)
  return await openService({ source: { ...source, lookups: join(folder, 'lookups.csv') } })
}

async function readRows(service: Awaited<ReturnType<typeof openCsv>>): Promise<Rating[]> {
  return (await (await service.get('/api/v1/posts')).json()).data
}

test('rows are served as they are in the file, whatever stands in them', async () => {
  const rows = [
    toRating(1, { rating_label: 'a "quoted", label', action_label: 'two\nlines' }),
    toRating(5, { symbol: 'BRK.B', rating_label: 'Überkauf 🚀', prediction: '+1.5' }),
    toRating(9_007_199_254_740_991, {
      expired_at: null,
      expired_at_date: null,
      prediction: '-0.000001',
    }),
    toRating(-3, {
      rating: -32_768,
      created_at_date: '2023-11-14T22:13:20+00:00',
      rating_label: '',
    }),
  ]
  const service = await openCsv(toCsv(rows))
  const newestFirst = rows.toSorted((a, b) => b.id - a.id)
  expect(await readRows(service)).toEqual(newestFirst)

  const dump = await (await service.get('/api/v1/posts/dumps')).text()
  const again = await openCsv(dump)
  expect(await readRows(again)).toEqual(newestFirst)
})

test.each([
  [
    'semicolons and decimal commas',
    (text: string) => text.replaceAll(',', ';').replaceAll('12.50', '12,50'),
  ],
  [
    'whole numbers written as decimals',
    (text: string) => text.replaceAll('1710000000', '1710000000.0'),
  ],
  [
    'names in another spelling',
    (text: string) => text.replace('user_id', 'userId').replace('symbol', 'Symbol'),
  ],
])('%s in the file changes nothing', async (_, change) => {
  const rows = [toRating(2), toRating(1, { rating_label: 'é' })]
  expect(await readRows(await openCsv(change(toCsv(rows))))).toEqual(rows)
})

test('a row that is not a rating is left out, with its line, column, value and reason', async () => {
  const good = [toRating(1, { rating_label: 'two\nlines' }), toRating(2)]
  const bad = [
    { ...toRating(3), prediction: 'much' },
    { ...toRating(4), created_at: 'soon' },
  ]
  const service = await openCsv(`${toCsv([...good, ...bad])}\n5,6\n`)
  expect((await readRows(service)).map(({ id }) => id)).toEqual([2, 1])
  expect(service.imported).toMatchObject({
    ratings: 2,
    rejects: {
      total: 3,
      kept: [
        { line: 5, column: 'prediction', value: 'much' },
        { line: 6, column: 'created_at', value: 'soon' },
        { line: 7, column: null, value: '5,6', reason: '2 cells under 15 columns' },
      ],
    },
  })
})

test('what an import left out is known after a restart, and an import of nothing has its reasons', async () => {
  const folder = await makeFolder()
  const posts = join(folder, 'posts.csv')
  await writeFile(posts, toCsv([{ ...toRating(1), rating: 'high' }]))
  const source = { kind: 'csv', posts } as const
  const dir = await makeFolder()
  await (await openService({ dir, source })).close()
  expect((await openService({ dir, source })).imported).toMatchObject({
    file: 'posts.csv',
    ratings: 0,
    rejects: {
      total: 1,
      reasons: [{ rows: 1 }],
      kept: [{ line: 2, column: 'rating', value: 'high' }],
    },
  })
})

test('a quote that never ends swallows no rows in silence', async () => {
  const csv = `${toCsv([toRating(1)])}\n2,7,"AAPL,4\n${toCsv([toRating(3)]).split('\n')[1]}\n`
  const service = await openCsv(csv)
  expect((await readRows(service)).map(({ id }) => id)).toEqual([1])
  const [reject] = service.imported?.rejects.kept ?? []
  expect(reject).toMatchObject({ line: 3, reason: expect.stringContaining('never closes it') })
})

test('a file that is no such CSV is refused, and the next start may bring a better one', async () => {
  const dir = await makeFolder()
  const posts = join(await makeFolder(), 'posts.csv')
  const open = () => openService({ dir, source: { kind: 'csv', posts } })
  await expect(open()).rejects.toThrow('cannot be read')
  await writeFile(posts, '')
  await expect(open()).rejects.toThrow('empty')
  await writeFile(posts, 'id,symbol\n1,AAPL\n')
  await expect(open()).rejects.toThrow('lacks user_id, rating,')
  await writeFile(posts, Buffer.from([0x69, 0x64, 0xff, 0xfe, 0x0a]))
  await expect(open()).rejects.toThrow('not text in UTF-8')
  await writeFile(posts, toCsv([toRating(1)]))
  expect(await readRows(await open())).toEqual([toRating(1)])
})

test('look-ups are served byte for byte; without a file there are none under the header', async () => {
  const lookups = '\ufeffid;when\r\n1;"x"\r\n'
  const service = await openCsv(toCsv([toRating(1)]), lookups)
  const response = await service.get('/api/v1/lookups/dumps')
  expect(Buffer.from(await response.arrayBuffer()).toString()).toBe(lookups)

  const none = await openCsv(toCsv([toRating(1)]))
  expect(await (await none.get('/api/v1/lookups/dumps')).text()).toBe(
    'id,symbol,source,room_id,created_at,created_at_date\n',
  )
})

test('a dump leaves out what was posted after its Sunday', async () => {
  const service = await openCsv(toCsv([toRating(1), toRating(2, { created_at: NOON })]))
  expect(await readRows(service)).toHaveLength(2)
  const dump = await (await service.get('/api/v1/posts/dumps')).text()
  expect(dump.trimEnd().split('\n')).toHaveLength(2)
})

test('what was imported is served without its file, and a changed file is refused', async () => {
  const folder = await makeFolder()
  const posts = join(folder, 'posts.csv')
  await writeFile(posts, toCsv([toRating(1)]))
  const source = { kind: 'csv', posts } as const
  const dir = await makeFolder()
  await (await openService({ dir, source })).close()
  await writeFile(posts, toCsv([toRating(1), toRating(2)]))
  await expect(openService({ dir, source })).rejects.toThrow('DATA_DIR')
  await rm(posts)
  expect(await readRows(await openService({ dir, source }))).toEqual([toRating(1)])
})

test('what is taken at first sight is what the contract takes, and reads the same', () => {
  const text = fc.oneof(
    fc.constantFrom(
      '',
      '0',
      '-0',
      '-1',
      '+7',
      '007',
      '1.5',
      '12.50',
      '-0.000001',
      '9'.repeat(11),
      '9'.repeat(15),
    ),
    fc.string({ maxLength: 4 }),
    fc.nat().map(String),
  )
  const header = [...RATING_FIELDS, 'note']
  const good = Object.values(toRating(1)).map(String)
  const readRow = createRowReader(header, { decimal: '.' })
  fc.assert(
    fc.property(fc.nat({ max: 14 }), text, fc.nat({ max: 14 }), text, (one, a, other, b) => {
      const cells = [...good, 'x'].with(one, a).with(other, b)
      const row = readRow({ line: 2, cells, problem: null })
      const parsed = parseCsvRating(header, cells)
      expect('values' in row).toBe(parsed.ok)
      if (!('values' in row) || !parsed.ok) return
      const plain = row.values.map((value) => (typeof value === 'bigint' ? Number(value) : value))
      expect(plain).toEqual(RATING_FIELDS.map((field) => parsed.rating[field]))
    }),
    { numRuns: draws(3000) },
  )
})
