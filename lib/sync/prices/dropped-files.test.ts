import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { mkdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PRICE_FILE_MAX_BYTES, PRICE_FILES_MAX_BYTES } from '#lib/contract/price-files.ts'
import { openPrices } from '#testing/sync/open-prices.ts'
import { makeFolder as makeParent } from '#testing/sync/scripted-service.ts'
import { createDroppedFiles } from './dropped-files.ts'

const makeFolder = async () => join(await makeParent(), 'prices')

const signal = new AbortController().signal

async function* inPieces(text: string, failure?: Error) {
  for (let at = 0; at < text.length; at += 7) yield Buffer.from(text.slice(at, at + 7))
  if (failure) throw failure
}

const toFile = (name: string, text: string, bytes = Buffer.byteLength(text)) => ({
  name,
  bytes,
  signal,
  client: 'a',
  body: inPieces(text),
})

const PRICES = 'symbol,date,close\nAAPL,2026-01-02,207.8792\n'

describe('a price file that an operator puts here', () => {
  it('lies there whole, byte for byte, and gives way to the next of its name', async () => {
    const dir = await makeFolder()
    const files = createDroppedFiles(dir)
    await files.take(toFile('p.csv', PRICES))
    expect(await readFile(join(dir, 'p.csv'), 'utf8')).toBe(PRICES)
    const next = `${PRICES}MSFT,2026-01-02,1\n`
    await files.take(toFile('p.csv', next))
    expect(await readFile(join(dir, 'p.csv'), 'utf8')).toBe(next)
    await files.remove('p.csv')
    expect(readdirSync(dir)).toEqual([])
    await expect(files.remove('p.csv')).rejects.toMatchObject({ fault: 'not_found' })
  })

  it.each([
    ['that is no CSV', 'p.csv', 'PK\u0003\u0004\u0000\u0001', /Excel workbook or a ZIP archive/],
    ['that is empty', 'p.csv', '', /is empty/],
    ['with other columns', 'p.csv', 'a,b\n1,2\n', /no column “date”/],
    [
      'without a price',
      'p.csv',
      'symbol,date,close\nA,02.01.2026,1\n',
      /line 2 has a date that could be month/,
    ],
    ['that ends early', 'p.csv', PRICES, /upload was incomplete/, PRICES.length + 1],
    ['that is longer than it said', 'p.csv', PRICES, /upload was incomplete/, PRICES.length - 1],
    ['of another ending', 'p.exe', PRICES, /end in \.csv/],
    ['that leads elsewhere', '../p.csv', PRICES, /end in \.csv/],
    ['that is hidden', '.p.csv', PRICES, /end in \.csv/],
    [
      'whose name has too many bytes',
      `${'価'.repeat(92)}.csv`,
      PRICES,
      /at most 100 characters and 255 bytes/,
    ],
    ['that is too large', 'p.csv', PRICES, /at most 256 MiB/, PRICE_FILE_MAX_BYTES + 1],
  ])('%s is refused, and nothing has changed', async (_, name, text, why, bytes?: number) => {
    const dir = await makeFolder()
    const files = createDroppedFiles(dir)
    await files.take(toFile('p.csv', PRICES))
    await expect(files.take(toFile(name, text, bytes))).rejects.toThrow(why)
    expect(readdirSync(dir)).toEqual(['p.csv'])
    expect(await readFile(join(dir, 'p.csv'), 'utf8')).toBe(PRICES)
  })

  it('that is interrupted leaves nothing, nor does one whose process ended', async () => {
    const dir = await makeFolder()
    const files = createDroppedFiles(dir)
    const broken = { ...toFile('p.csv', PRICES), body: inPieces(PRICES, new Error('reset')) }
    await expect(files.take(broken)).rejects.toThrow('reset')
    expect(readdirSync(dir)).toEqual([])
    await mkdir(join(dir, 'x.arriving'))
    await writeFile(join(dir, 'x.arriving', 'q.csv'), 'half')
    await files.take(toFile('p.csv', PRICES))
    expect(readdirSync(dir)).toEqual(['p.csv'])
  })

  it('finds no room where all of them would be too large together', async () => {
    const dir = await makeFolder()
    const files = createDroppedFiles(dir)
    await files.take(toFile('p.csv', PRICES))
    await truncate(join(dir, 'p.csv'), PRICE_FILES_MAX_BYTES)
    await expect(files.take(toFile('q.csv', PRICES))).rejects.toThrow(/1024 MiB/)
    await files.take(toFile('p.csv', PRICES))
    expect(await readFile(join(dir, 'p.csv'), 'utf8')).toBe(PRICES)
  })

  it('a full disk is told, and nothing has changed', async () => {
    const dir = await makeFolder()
    const files = createDroppedFiles(dir)
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
    const file = { ...toFile('p.csv', PRICES), body: inPieces(PRICES, full) }
    await expect(files.take(file)).rejects.toMatchObject({
      fault: 'not_ready',
      message: 'The disk is full. Nothing was changed.',
    })
    expect(readdirSync(dir)).toEqual([])
  })
})

function toStalled(name: string, { text = PRICES, bytes = Buffer.byteLength(text), client = 'a' }) {
  const gate = { open: () => {}, breakOff: (_: Error) => {} }
  const opened = new Promise<void>((resolve, reject) => {
    gate.open = resolve
    gate.breakOff = reject
  })
  opened.catch(() => {})
  const body = (async function* () {
    yield Buffer.from(text.slice(0, 5))
    await opened
    yield Buffer.from(text.slice(5))
  })()
  return { ...gate, file: { name, bytes, signal, client, body } }
}

describe('uploads at once', () => {
  it('arrive side by side: one that stands still holds up no other, and is whole in the end', async () => {
    const dir = await makeFolder()
    const files = createDroppedFiles(dir)
    const slow = toStalled('slow.csv', {})
    const taken = files.take(slow.file)
    await files.take(toFile('fast.csv', PRICES))
    await files.remove('fast.csv')
    slow.open()
    await taken
    expect(readdirSync(dir)).toEqual(['slow.csv'])
    expect(await readFile(join(dir, 'slow.csv'), 'utf8')).toBe(PRICES)
  })

  it('are two of one client and six in all; a client with two gives way to one with none', async () => {
    const files = createDroppedFiles(await makeFolder())
    const busy = { fault: 'busy', retryAfterSeconds: 10 }
    const slow = ['a', 'a', 'b', 'b', 'c', 'c'].map((client, n) =>
      toStalled(`${n}.csv`, { client }),
    )
    const taken = slow.slice(0, 2).map(({ file }) => files.take(file))
    await expect(files.take(toFile('more.csv', PRICES))).rejects.toMatchObject(busy)
    taken.push(...slow.slice(2).map(({ file }) => files.take(file)))
    for (const [client, displaced] of [
      ['d', 5],
      ['e', 3],
      ['f', 1],
    ] as const) {
      const own = toStalled(`${client}.csv`, { client })
      taken.push(files.take(own.file))
      slow.push(own)
      await expect(taken[displaced]).rejects.toMatchObject(busy)
    }
    const other = { ...toFile('more.csv', PRICES), client: 'g' }
    await expect(files.take(other)).rejects.toMatchObject(busy)
    for (const { open } of slow) open()
    const settled = await Promise.allSettled(taken)
    expect(settled.map(({ status }) => status === 'fulfilled')).toEqual(
      slow.map((_, n) => ![1, 3, 5].includes(n)),
    )
    await files.take(other)
  })

  it('have a place each for all that they say they hold, until they are over', async () => {
    const dir = await makeFolder()
    const files = createDroppedFiles(dir)
    const bytes = PRICE_FILES_MAX_BYTES / 4
    const slow = ['a', 'a', 'b', 'b'].map((client, n) => toStalled(`${n}.csv`, { client, bytes }))
    const taken = slow.map(({ file }) => files.take(file))
    slow[0]?.breakOff(new Error('reset'))
    await expect(taken[0]).rejects.toThrow('reset')
    const again = toStalled('again.csv', { client: 'c', bytes })
    taken.push(files.take(again.file))
    const more = { ...toFile('p.csv', PRICES), client: 'c' }
    await expect(files.take(more)).rejects.toMatchObject({ fault: 'busy' })
    const displaced = expect(taken[3]).rejects.toMatchObject({ fault: 'busy' })
    await files.take({ ...more, client: 'd' })
    await displaced
    for (const { breakOff } of [...slow, again]) breakOff(new Error('reset'))
    await Promise.allSettled(taken)
    expect(readdirSync(dir)).toEqual(['p.csv'])
  })
})

describe('a folder of price files', () => {
  it('may hold links, which are neither followed nor counted, and give way to a file of their name', async () => {
    const dir = await makeFolder()
    const files = createDroppedFiles(dir)
    await mkdir(dir)
    const outside = join(dir, '..', 'outside.csv')
    await writeFile(outside, '')
    await truncate(outside, PRICE_FILES_MAX_BYTES)
    await symlink(outside, join(dir, 'p.csv'))
    await symlink(outside, join(dir, 'q.csv'))
    await symlink(join(dir, 'nowhere'), join(dir, 'dangling.csv'))
    await symlink(join(dir, 'circle.csv'), join(dir, 'circle.csv'))
    await symlink(join(dir, '..'), join(dir, 'x.arriving'))
    await files.take(toFile('p.csv', PRICES))
    await files.take(toFile('circle.csv', PRICES))
    await files.remove('q.csv')
    await files.remove('dangling.csv')
    expect(readdirSync(dir).sort()).toEqual(['circle.csv', 'p.csv'])
    expect(lstatSync(join(dir, 'p.csv')).isFile()).toBe(true)
    expect((await stat(outside)).size).toBe(PRICE_FILES_MAX_BYTES)
  })
})

it('a file that is put here is read at once, counts as later than the others, and goes when it is taken away', async () => {
  const dropped = await makeFolder()
  const source = join(dropped, '..', 'own.csv')
  await writeFile(source, PRICES)
  const { prices: kept } = await openPrices({ sources: [source], dropped })
  expect(kept.report()).toMatchObject({
    prices: 1,
    files: [{ file: 'own.csv', is_dropped: false }],
  })
  await kept.drop(toFile('more.csv', 'symbol,date,close\nAAPL,2026-01-02,9\nMSFT,2026-01-02,1\n'))
  expect(kept.report()).toMatchObject({
    prices: 2,
    doubled: 1,
    files: [
      { file: 'own.csv', is_dropped: false },
      { file: 'more.csv', is_dropped: true, rows: 2, problem: null },
    ],
  })
  await kept.remove('more.csv')
  expect(kept.report()).toMatchObject({ prices: 1, doubled: 0, files: [{ file: 'own.csv' }] })
  expect(existsSync(join(dropped, 'more.csv'))).toBe(false)
})
