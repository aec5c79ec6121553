import { existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PRICE_FILE_MAX_BYTES, PRICE_FILES_MAX_BYTES } from '#lib/contract/price-files.ts'
import { openMemory } from '#testing/archive/arbitrary.ts'
import { createDroppedFiles } from './dropped-files.ts'
import { keepPrices } from './keep-prices.ts'

async function makeFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'bellwether-dropped-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'prices')
}

const signal = new AbortController().signal

async function* inPieces(text: string, failure?: Error) {
  for (let at = 0; at < text.length; at += 7) yield Buffer.from(text.slice(at, at + 7))
  if (failure) throw failure
}

const toFile = (name: string, text: string, bytes = Buffer.byteLength(text)) => ({
  ...{ name, bytes, signal },
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

  it('without symbols is of the one that it is named by', async () => {
    const dir = await makeFolder()
    await createDroppedFiles(dir).take(toFile('BRK.B.csv', 'Date,Close\n2026-01-02,1\n'))
    expect(readdirSync(dir)).toEqual(['BRK.B.csv'])
  })

  it.each([
    ['that is no CSV', 'p.csv', 'PK\u0003\u0004\u0000\u0001', /Excel workbook or a ZIP archive/],
    ['that is empty', 'p.csv', '', /is empty/],
    ['with other columns', 'p.csv', 'a,b\n1,2\n', /no column “date”/],
    [
      'without a price',
      'p.csv',
      'symbol,date,close\nA,02.01.2026,1\n',
      /line 2 has a date that can be month/,
    ],
    ['that ends early', 'p.csv', PRICES, /did not come whole/, PRICES.length + 1],
    ['that is longer than it said', 'p.csv', PRICES, /did not come whole/, PRICES.length - 1],
    ['of another ending', 'p.exe', PRICES, /ends in \.csv/],
    ['that leads elsewhere', '../p.csv', PRICES, /ends in \.csv/],
    ['that is hidden', '.p.csv', PRICES, /ends in \.csv/],
    ['that is too large', 'p.csv', PRICES, /at most 256 MiB/, PRICE_FILE_MAX_BYTES + 1],
  ])('%s is refused, and nothing has changed', async (_, name, text, why, bytes?: number) => {
    const dir = await makeFolder()
    const files = createDroppedFiles(dir)
    await files.take(toFile('p.csv', PRICES))
    await expect(files.take(toFile(name, text, bytes))).rejects.toThrow(why)
    expect(readdirSync(dir)).toEqual(['p.csv'])
    expect(await readFile(join(dir, 'p.csv'), 'utf8')).toBe(PRICES)
  })

  it('that is broken off leaves nothing, nor does one whose process ended', async () => {
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
    // Nothing of it is on the disk but its length.
    const { truncate } = await import('node:fs/promises')
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
      message: 'The disk is full: nothing was changed.',
    })
    expect(readdirSync(dir)).toEqual([])
  })
})

it('a file that is put here is read at once, counts as later than the others, and goes when it is taken away', async () => {
  const dropped = await makeFolder()
  const source = join(dropped, '..', 'own.csv')
  await writeFile(source, PRICES)
  const archive = await openMemory()
  onTestFinished(() => archive.close())
  const kept = keepPrices({
    generation: () => 0,
    ...{ invented: null, prices: archive.prices, sources: [source], dropped, benchmark: null },
    ...{ now: () => 7, every: () => () => {}, log: () => {} },
  })
  onTestFinished(() => kept.close())
  await kept.settled()
  expect(kept.report()).toMatchObject({
    prices: 1,
    files: [{ file: 'own.csv', is_dropped: false }],
  })
  await kept.drop(toFile('more.csv', 'symbol,date,close\nAAPL,2026-01-02,9\nMSFT,2026-01-02,1\n'))
  expect(kept.report()).toMatchObject({
    ...{ prices: 2, doubled: 1 },
    files: [
      { file: 'own.csv', is_dropped: false },
      { file: 'more.csv', is_dropped: true, rows: 2, problem: null },
    ],
  })
  await kept.remove('more.csv')
  expect(kept.report()).toMatchObject({ prices: 1, doubled: 0, files: [{ file: 'own.csv' }] })
  expect(existsSync(join(dropped, 'more.csv'))).toBe(false)
})

it('without PRICES_CSV prices come and go with the files that are put here', async () => {
  const dropped = await makeFolder()
  const archive = await openMemory()
  onTestFinished(() => archive.close())
  const kept = keepPrices({
    generation: () => 0,
    ...{ invented: null, prices: archive.prices, sources: [], dropped, benchmark: null },
    ...{ now: () => 7, every: () => () => {}, log: () => {} },
  })
  onTestFinished(() => kept.close())
  await kept.settled()
  expect(kept.report()).toMatchObject({ is_configured: false, prices: 0 })
  await kept.drop(toFile('p.csv', PRICES))
  expect(kept.report()).toMatchObject({ is_configured: true, prices: 1 })
  await kept.remove('p.csv')
  expect(kept.report()).toMatchObject({ is_configured: false, prices: 0, files: [] })
})
