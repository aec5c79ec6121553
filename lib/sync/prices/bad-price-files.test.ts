import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, open, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it, onTestFinished } from 'vitest'
import type { Prices } from '#lib/archive/prices/prices.ts'
import { POLL_SECONDS } from '#lib/sync/file-problems.ts'
import { openMemory } from '#testing/archive/arbitrary.ts'
import { keepPrices } from './keep-prices.ts'
import { readPriceFile } from './read-price-file.ts'

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bellwether-bad-prices-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

type ImportCase = { sources: string[]; whileReading?: () => Promise<void> }

async function keep({ sources, whileReading }: ImportCase) {
  const archive = await openMemory()
  const looks: (() => void)[] = []
  const clock = { now: 7 }
  let meanwhile = whileReading
  const prices: Prices = {
    ...archive.prices,
    replace: async (fill) =>
      await archive.prices.replace(async (append) => {
        await fill(async (rows) => {
          await append(rows)
          const act = meanwhile
          meanwhile = undefined
          await act?.()
        })
      }),
  }
  const kept = keepPrices({
    reader: archive.reader,
    generation: () => 0,
    prices,
    sources,
    invented: null,
    benchmark: null,
    now: () => clock.now,
    log: () => undefined,
    every: (_, run) => {
      looks.push(run)
      return () => undefined
    },
  })
  onTestFinished(async () => {
    await kept.close()
    await archive.close()
  })
  await kept.settled()
  const lookAgain = async () => {
    clock.now += POLL_SECONDS
    for (const look of looks) look()
    await kept.settled()
  }
  return { kept, lookAgain }
}

const GOOD = 'symbol,date,close\nGOOD,2026-01-02,10\n'

it.each([
  [
    'an executable',
    Buffer.from('7f454c460201010000000000ff0a2c0a', 'hex'),
    'is not text in UTF-8 or UTF-16: line 1 has the byte 0xFF',
  ],
  [
    'a packed file',
    Buffer.from('504b0304140008080800ff2c0a', 'hex'),
    'is an Excel workbook or a ZIP archive, not CSV',
  ],
  [
    'a picture',
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    'is not text in UTF-8 or UTF-16: line 1 has the byte 0x89',
  ],
  ['a page of the web', '<!doctype html>\n<title>Sign in</title>\n', 'is HTML or XML, not CSV'],
  ['JSON', '[{"symbol":"A","date":"2026-01-02","close":1}]', 'is JSON, not CSV'],
  ['no byte', '', 'is empty'],
  ['empty lines', '\n\n\n', 'is empty'],
])(
  'a price file that is %s is reported, and the other files count',
  async (_, content, problem) => {
    const folder = await makeFolder()
    await writeFile(join(folder, 'bad.csv'), content)
    await writeFile(join(folder, 'good.csv'), GOOD)
    const { kept, lookAgain } = await keep({ sources: [folder] })
    await lookAgain()
    expect(kept.report()).toMatchObject({
      prices: 1,
      files: [
        { file: 'bad.csv', rows: 0, problem },
        { file: 'good.csv', rows: 1, problem: null },
      ],
    })
  },
)

it('folders, pipes, broken links and cycles are reported, and the other files count', async () => {
  const folder = await makeFolder()
  await symlink('b.csv', join(folder, 'a.csv'))
  await symlink('a.csv', join(folder, 'b.csv'))
  await symlink('nowhere', join(folder, 'c.csv'))
  await mkdir(join(folder, 'd.csv'))
  execFileSync('mkfifo', [join(folder, 'e.csv')])
  await writeFile(join(folder, 'good.csv'), GOOD)
  const { kept } = await keep({ sources: [folder, join(folder, 'a.csv')] })
  expect(kept.report().files).toMatchObject([
    { file: 'a.csv', problem: 'is a link to itself' },
    { file: 'b.csv', problem: 'is a link to itself' },
    { file: 'c.csv', problem: 'does not exist' },
    { file: 'd.csv', problem: 'is not a file' },
    { file: 'e.csv', problem: 'is not a file' },
    { file: 'good.csv', rows: 1, problem: null },
    { file: 'a.csv', problem: 'is a link to itself' },
  ])
  expect(kept.report().prices).toBe(1)
})

it('a file that is replaced while it is read is read anew, and nothing of the old one is left after the next look', async () => {
  const folder = await makeFolder()
  const path = join(folder, 'a.csv')
  await writeFile(path, 'symbol,date,close\nOLD,2026-01-02,1\nA,2026-01-02,2\n')
  await writeFile(join(folder, 'next'), 'symbol,date,close\nA,2026-01-02,3\nA,2026-01-05,4\n')
  const { kept, lookAgain } = await keep({
    sources: [path],
    whileReading: async () => await rename(join(folder, 'next'), path),
  })
  expect(kept.report()).toMatchObject({ files: [{ rows: 2, problem: null }] })
  await lookAgain()
  expect(kept.report()).toMatchObject({
    prices: 2,
    symbols: 1,
    first_day: '2026-01-02',
    doubled: 0,
  })
})

it('a file that vanishes while it is read is told of, and its prices go with the next look', async () => {
  const folder = await makeFolder()
  const path = join(folder, 'a.csv')
  await writeFile(path, 'symbol,date,close\nA,2026-01-02,2\n')
  await writeFile(join(folder, 'good.csv'), GOOD)
  const { kept, lookAgain } = await keep({
    sources: [path, join(folder, 'good.csv')],
    whileReading: async () => await rm(path),
  })
  expect(kept.report().files).toMatchObject([
    { problem: 'does not exist' },
    { rows: 1, problem: null },
  ])
  await lookAgain()
  expect(kept.report()).toMatchObject({ prices: 1, symbols: 1 })
  expect(kept.report().files).toMatchObject([{ rows: 0, problem: 'does not exist' }, { rows: 1 }])
})

it('a file that stops to be text in its middle is told of; what stood before that counts', async () => {
  const folder = await makeFolder()
  const lines = Array.from({ length: 60_000 }, () => 'A,2026-01-02,2\n').join('')
  await writeFile(
    join(folder, 'a.csv'),
    Buffer.concat([Buffer.from(`symbol,date,close\n${lines}`), Buffer.from([0xff, 0xfe, 0x0a])]),
  )
  const { kept } = await keep({ sources: [folder] })
  const [file] = kept.report().files
  expect(file?.problem).toBe('is not text in UTF-8 or UTF-16: line 60002 has the byte 0xFF')
  expect(file?.rows).toBe(60_000)
  expect(kept.report().prices).toBe(1)
})

it('however large a file is, no more of it is in memory than a piece', async () => {
  const path = join(await makeFolder(), 'large.csv')
  const file = await open(path, 'w')
  const block = Array.from(
    { length: 20_000 },
    (_, row) => `SYMBOL${row % 500},2026-01-02,${row}.5,x\n`,
  ).join('')
  await file.write('symbol,date,close,note\n')
  const blocks = 24
  for (let index = 0; index < blocks; index += 1) await file.write(block)
  await file.close()
  const measure = createMeasure()
  const before = measure()
  let [rows, most, highest, batches] = [0, 0, 0, 0]
  for await (const batch of readPriceFile(path, new AbortController().signal)) {
    rows += batch.rows.length + batch.rejected.length
    most = Math.max(most, batch.rows.length)
    batches += 1
    if (batches % 8 === 0) highest = Math.max(highest, measure() - before)
  }
  expect(rows).toBe(blocks * 20_000)
  expect(most).toBeLessThan(30_000)
  expect(highest).toBeLessThan(25 * 2 ** 20)
}, 60_000)

function createMeasure(): () => number {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect !== 'function') throw new Error('nothing collects garbage')
  return () => {
    collect()
    return process.memoryUsage().heapUsed
  }
}
