import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { chmod, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { openPrices } from '#testing/sync/open-prices.ts'
import { makeFolder } from '#testing/sync/scripted-service.ts'
import type { InventedPrices } from './keep-prices.ts'

async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return await work()
  process.seteuid?.(65_534)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}

describe('prices that are kept', () => {
  it('come from files and folders; what is wrong with one takes nothing else with it', async () => {
    const folder = await makeFolder()
    await mkdir(join(folder, 'more'))
    await writeFile(join(folder, 'a.csv'), 'symbol,date,close\nA,2026-01-02,10\nA,2026-01-05,x\n')
    await writeFile(join(folder, 'more', 'B.csv'), 'date,close\n2026-01-02,5\n2026-01-05,6\n')
    await writeFile(join(folder, 'more', 'bad.csv'), 'nothing of the kind\n')
    const sources = [join(folder, 'a.csv'), join(folder, 'more'), join(folder, 'gone.csv')]
    const { prices } = await openPrices({ sources })
    expect(prices.report()).toMatchObject({
      prices: 3,
      symbols: 2,
      first_day: '2026-01-02',
      last_day: '2026-01-05',
      read_at: 7,
      files: [
        { file: 'a.csv', rows: 1, set_aside: 1, problem: null },
        { file: 'B.csv', rows: 2, set_aside: 0, problem: null },
        { file: 'bad.csv', rows: 0, problem: 'has no column “date”' },
        { file: 'gone.csv', rows: 0, problem: 'does not exist' },
      ],
      set_aside: 1,
      reasons: [{ reason: 'has a close that is not a number', rows: 1 }],
      examples: [
        {
          file: 'a.csv',
          line: 3,
          column: 'close',
          value: 'x',
          reason: 'has a close that is not a number',
        },
      ],
    })
  })

  it('are read again when a file has changed, and only then', async () => {
    const folder = await makeFolder()
    const path = join(folder, 'a.csv')
    await writeFile(path, 'symbol,date,close\nA,2026-01-02,10\n')
    const { archive, prices, lookAgain } = await openPrices({ sources: [path] })
    const { version } = archive.prices.state()
    await lookAgain()
    expect(archive.prices.state().version).toBe(version)
    await writeFile(join(folder, 'next'), 'symbol,date,close\nA,2026-01-02,10\nA,2026-01-05,11\n')
    await rename(join(folder, 'next'), path)
    await lookAgain()
    expect(prices.report().prices).toBe(2)
    await rm(path)
    await lookAgain()
    expect(prices.report()).toMatchObject({ prices: 0, files: [{ problem: 'does not exist' }] })
  })

  it('of a folder without rights are told of', async () => {
    const folder = await makeFolder()
    await writeFile(join(folder, 'a.csv'), 'symbol,date,close\nA,2026-01-02,10\n')
    await chmod(folder, 0)
    const { prices } = await asNobody(async () => await openPrices({ sources: [folder] }))
    expect(prices.report().files).toMatchObject([
      { rows: 0, problem: 'is not readable by this process' },
    ])
    await chmod(folder, 0o700)
  })

  it('report days with two closes, of which the last counts, and likely splits', async () => {
    const folder = await makeFolder()
    const days = ['01', '02', '05', '06', '07', '08', '09', '12', '13']
    const closes = [100, 101, 50, 49, 120, 50, 51, 5100, 52]
    const lines = days.map((day, index) => `A,2026-01-${day},${closes[index]}`)
    await writeFile(
      join(folder, 'a.csv'),
      ['symbol,date,close', 'A,2026-01-01,99', ...lines, ''].join('\n'),
    )
    const { archive, prices } = await openPrices({ sources: [folder] })
    expect(prices.report()).toMatchObject({
      doubled: 1,
      spikes: [{ symbol: 'A', date: '2026-01-12', factor: '100.0000' }],
      jumps: [{ symbol: 'A', date: '2026-01-05', factor: '0.4950' }],
    })
    expect(archive.prices.state().prices).toBe(9)
  })

  it('are invented ones once those are there, other ones where they change, and none of them where a file is named', async () => {
    const given = { mark: null as string | null, closes: ['7', '8'] }
    let settle = () => {}
    const ready = new Promise<void>((resolve) => {
      settle = resolve
    })
    const invented: InventedPrices = {
      name: 'demo prices',
      ready,
      mark: () => given.mark,
      async *rows() {
        for (const [day, close] of given.closes.entries()) yield [{ symbol: 'A', day, close }]
      },
    }
    const { archive, prices, lookAgain } = await openPrices({ invented })
    expect(prices.report()).toMatchObject({ is_configured: true, invented: false, read_at: null })
    given.mark = 'of today'
    settle()
    await ready
    await prices.settled()
    const files = [{ file: 'demo prices', rows: 2, set_aside: 0, problem: null }]
    expect(prices.report()).toMatchObject({ prices: 2, files, invented: true })
    const { version } = archive.prices.state()
    await lookAgain()
    expect(archive.prices.state().version).toBe(version)
    given.mark = 'of tomorrow'
    given.closes = ['7', '8', '9']
    await lookAgain()
    expect(prices.report().prices).toBe(3)
    const named = await openPrices({ sources: [join(await makeFolder(), 'gone.csv')], invented })
    expect(named.prices.report()).toMatchObject({ prices: 0, invented: false })
    expect(named.prices.report().files).toMatchObject([{ problem: 'does not exist' }])
  })

  it('prices that were read are prepared for records once, and closing waits for that', async () => {
    const folder = await makeFolder()
    await writeFile(join(folder, 'prices.csv'), 'symbol,date,close\nA,2026-01-02,1\n')
    const events: string[] = []
    let finish = () => {}
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    const prepare = async () => {
      events.push('begun')
      await finished
      events.push('done')
    }
    const { prices, lookAgain } = await openPrices({ sources: [folder], prepare })
    await lookAgain()
    expect(events).toEqual(['begun'])
    const closed = prices.close()
    finish()
    await closed
    expect(events).toEqual(['begun', 'done'])
  })

  it.each([
    ['a row', 'symbol,date,close\nA,2026-01-02,10\nA,2026-01-05,2'],
    ['a row after an empty line', 'symbol,date,close\n\nA,2026-01-05,2'],
    ['the header', 'symbol,da'],
    ['nothing', ''],
    ['a row in UTF-16', Buffer.from('symbol,date,close\nA,2026-01-05,2', 'utf16le')],
  ])('wait while a file ends within %s, and the earlier ones stay', async (_, half) => {
    const folder = await makeFolder()
    const path = join(folder, 'a.csv')
    const whole = 'symbol,date,close\nA,2026-01-02,10\n'
    await writeFile(path, whole)
    const { archive, prices, lookAgain } = await openPrices({ sources: [path] })
    await writeFile(path, half)
    await lookAgain()
    expect(prices.report()).toMatchObject({
      prices: 1,
      last_day: '2026-01-02',
      problem: 'a.csv ends within a line and has just changed: it is read once it stays as it is.',
    })
    expect(prices.emptyImports()).toEqual([])
    await writeFile(path, `${whole}A,2026-01-05,223.45\n`)
    await lookAgain()
    expect(prices.report()).toMatchObject({ prices: 2, last_day: '2026-01-05', problem: null })
    expect(archive.prices.state().prices).toBe(2)
  })

  it('of a file without a last line break are read once it is the same at two polls', async () => {
    const path = join(await makeFolder(), 'a.csv')
    await writeFile(path, 'symbol,date,close\nA,2026-01-02,10')
    const { prices, lookAgain } = await openPrices({ sources: [path] })
    expect(prices.report()).toMatchObject({ prices: 0, files: [{ problem: 'was not read yet' }] })
    await lookAgain()
    expect(prices.report()).toMatchObject({ prices: 1, problem: null, files: [{ rows: 1 }] })
  })

  it('are not replaced when a file is cut while it is read', async () => {
    const path = join(await makeFolder(), 'a.csv')
    await writeFile(path, 'symbol,date,close\nA,2026-01-02,10\n')
    const given = { cut: false }
    const { prices, lookAgain } = await openPrices({
      sources: [path],
      beforeReplace: () => {
        if (given.cut) writeFileSync(path, 'symbol,date,close\nA,2026-01-02,1')
      },
    })
    given.cut = true
    await writeFile(path, 'symbol,date,close\nA,2026-01-02,10\nA,2026-01-05,11\n')
    await lookAgain()
    expect(prices.report()).toMatchObject({ prices: 1, last_day: '2026-01-02' })
    expect(prices.report().problem).toContain('ends within a line')
  })

  it('that cannot be read are an error of the upload, an alarm and a problem, until they can', async () => {
    const folder = await makeFolder()
    const path = join(folder, 'a.csv')
    await writeFile(path, 'symbol,date,close\nA,2026-01-02,10\n')
    const given: { failure: Error | null } = { failure: null }
    const { prices, lookAgain } = await openPrices({
      sources: [path],
      dropped: join(folder, 'dropped'),
      beforeReplace: () => {
        if (given.failure) throw given.failure
      },
    })
    const drop = async (name: string) => {
      const text = 'symbol,date,close\nB,2026-01-02,10\n'
      const { signal } = new AbortController()
      const body = Readable.from([Buffer.from(text)])
      await prices.drop({ name, bytes: text.length, body, signal, client: 'a' })
    }
    given.failure = new Error('Parser Error: syntax error at or near "\0"')
    const why =
      'The prices could not be read: the database failed, see the log. They are read again every 30 seconds.'
    await expect(drop('b.csv')).rejects.toMatchObject({
      fault: 'not_ready',
      message: `The file is stored, but: ${why}`,
    })
    expect(prices.report()).toMatchObject({
      prices: 1,
      problem: why,
      files: [
        { file: 'a.csv', rows: 1 },
        { file: 'b.csv', rows: 0, problem: 'was not read yet' },
      ],
    })
    expect(prices.emptyImports()).toEqual(['the price files'])
    given.failure = Object.assign(new Error('IO Error: No space left on device'), {})
    await expect(drop('c.csv')).rejects.toThrow('the disk is full')
    given.failure = null
    await lookAgain()
    expect(prices.report()).toMatchObject({ prices: 2, problem: null })
    expect(prices.emptyImports()).toEqual([])
  })
})

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
    const { prices, lookAgain } = await openPrices({ sources: [folder] })
    await lookAgain()
    expect(prices.report()).toMatchObject({
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
  const { prices } = await openPrices({ sources: [folder, join(folder, 'a.csv')] })
  expect(prices.report().files).toMatchObject([
    { file: 'a.csv', problem: 'is a link to itself' },
    { file: 'b.csv', problem: 'is a link to itself' },
    { file: 'c.csv', problem: 'does not exist' },
    { file: 'd.csv', problem: 'is not a file' },
    { file: 'e.csv', problem: 'is not a file' },
    { file: 'good.csv', rows: 1, problem: null },
    { file: 'a.csv', problem: 'is a link to itself' },
  ])
  expect(prices.report().prices).toBe(1)
})

it('a file that is replaced while it is read is read anew, and nothing of the old one is left after the next look', async () => {
  const folder = await makeFolder()
  const path = join(folder, 'a.csv')
  await writeFile(path, 'symbol,date,close\nOLD,2026-01-02,1\nA,2026-01-02,2\n')
  await writeFile(join(folder, 'next'), 'symbol,date,close\nA,2026-01-02,3\nA,2026-01-05,4\n')
  const { prices, lookAgain } = await openPrices({
    sources: [path],
    whileReading: async () => await rename(join(folder, 'next'), path),
  })
  expect(prices.report()).toMatchObject({ files: [{ rows: 2, problem: null }] })
  await lookAgain()
  expect(prices.report()).toMatchObject({
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
  const { prices, lookAgain } = await openPrices({
    sources: [path, join(folder, 'good.csv')],
    whileReading: async () => await rm(path),
  })
  expect(prices.report().files).toMatchObject([
    { problem: 'does not exist' },
    { rows: 1, problem: null },
  ])
  await lookAgain()
  expect(prices.report()).toMatchObject({ prices: 1, symbols: 1 })
  expect(prices.report().files).toMatchObject([{ rows: 0, problem: 'does not exist' }, { rows: 1 }])
})
