import { writeFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { PriceRow } from '#lib/archive/prices/prices.ts'
import { POLL_SECONDS } from '#lib/sync/file-problems.ts'
import { importRows, makeRating, openMemory } from '#testing/archive/arbitrary.ts'
import { type InventedPrices, keepPrices } from './keep-prices.ts'
import { readPriceFile } from './read-price-file.ts'

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bellwether-prices-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const DAY = (text: string) => Date.parse(text) / 86_400_000

async function read(content: string | Buffer, name = 'prices.csv') {
  const folder = await makeFolder()
  const path = join(folder, name)
  await writeFile(path, content)
  const all: { rows: PriceRow[]; rejected: { line: number; reason: string }[] } = {
    rows: [],
    rejected: [],
  }
  for await (const { rows, rejected } of readPriceFile(path, new AbortController().signal)) {
    all.rows.push(...rows)
    all.rejected.push(...rejected.map(({ line, reason }) => ({ line, reason })))
  }
  return all
}

const ONE: PriceRow[] = [{ symbol: 'AAPL', day: DAY('2026-01-02'), close: '207.8792' }]

describe('a price file', () => {
  it.each([
    ['of three columns', 'symbol,date,close\nAAPL,2026-01-02,207.8792\n'],
    [
      'in any order and case, with others',
      'Date,Open,TICKER,Close_Price\n2026-01-02,1,AAPL,207.8792',
    ],
    ['with an adjusted close', 'symbol,date,close,Adj Close\nAAPL,2026-01-02,9,207.8792\n'],
    ['with semicolons and decimal commas', 'symbol;date;close\r\nAAPL;2026-01-02;207,8792\r\n'],
    ['with tabs, quotes and a time', 'symbol\tdate\tclose\n"AAPL"\t2026-01-02 00:00\t207.8792\n'],
    ['with a byte order mark', '\ufeffsymbol,date,close\nAAPL,2026-01-02,207.8792\n'],
  ])('%s is read', async (_, text) => {
    expect(await read(text)).toEqual({ rows: ONE, rejected: [] })
  })

  it.each([
    ['AAPL,02.01.2026,1', 'has a date that could be month/day or day/month: use YYYY-MM-DD'],
    ['AAPL,soon,1', 'has a date that is not in the form YYYY-MM-DD'],
    ['AAPL,2026-02-30,1', 'has a date that does not exist'],
    ['AAPL,2026-01-02,-1', 'has a close that is not above 0'],
    ['AAPL,2026-01-02,0.00', 'has a close that is not above 0'],
    ['AAPL,2026-01-02,NaN', 'has a close that is not a number'],
    ['AAPL,2026-01-02,1e10', 'has a close of more than 10 digits'],
    ['AAPL,2026-01-02,1e-9', 'has a close below 0.00000001'],
    ['AAPL,2026-01-02', 'has no close'],
    ['AAPL,2026-01-02,1,002.00', '4 cells under 3 columns'],
    [',2026-01-02,1', 'has no symbol'],
    ...['AA\0PL', '\0'].map((symbol): [string, string] => [
      `${symbol},2026-01-02,1`,
      'has a symbol that begins with a byte order mark, or holds a null or half a character',
    ]),
    ['AAPL,2026-01-02\0,1', 'has a date that is not in the form YYYY-MM-DD'],
    ['AAPL,2026-01-02,1\0', 'has a close that is not a number'],
  ])('sets aside %s, by its line, and goes on', async (record, reason) => {
    const { rows, rejected } = await read(
      `symbol,date,close\n${record}\nAAPL,2026-01-02,207.8792\n`,
    )
    expect(rejected).toEqual([{ line: 2, reason }])
    expect(rows).toEqual(ONE)
  })

  it.each([
    ['nothing', '', 'is empty'],
    ['other columns', 'a,b\n1,2\n', 'has no column “date”'],
    ['no close', 'symbol,date\nA,2026-01-02\n', 'has no column “close”'],
    [
      'bytes that are no text',
      Buffer.from([1, 2, 0xff, 0xfe, 0xc3, 10]),
      'is not text in UTF-8 or UTF-16: line 1 has the byte 0xFF',
    ],
    [
      'a quote without end',
      `symbol,date,close\n"${'x'.repeat(2_000_000)}`,
      'has a record longer than 1 MB on line 2',
    ],
  ])('of %s is refused as a whole', async (_, content, why) => {
    await expect(read(content)).rejects.toThrow(why)
  })
})

async function keep(
  sources: string[],
  invented: InventedPrices | null = null,
  changes: { dropped?: string; fail?: () => Error | null } = {},
) {
  const { dropped, fail = () => null } = changes
  const archive = await openMemory()
  const looks: (() => void)[] = []
  const clock = { now: 7 }
  const prices = keepPrices({
    generation: () => 0,
    reader: archive.reader,
    prices: {
      ...archive.prices,
      async replace(fill) {
        const failure = fail()
        if (failure) throw failure
        return await archive.prices.replace(fill)
      },
    },
    sources,
    invented,
    ...(dropped !== undefined && { dropped }),
    benchmark: null,
    now: () => clock.now,
    log: () => undefined,
    every: (_, run) => {
      looks.push(run)
      return () => undefined
    },
  })
  onTestFinished(async () => {
    await prices.close()
    await archive.close()
  })
  await prices.settled()
  const lookAgain = async () => {
    clock.now += POLL_SECONDS
    for (const look of looks) look()
    await prices.settled()
  }
  return { archive, prices, lookAgain }
}

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
    const { prices } = await keep(sources)
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
    const { archive, prices, lookAgain } = await keep([path])
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
    const { prices } = await asNobody(async () => await keep([folder]))
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
    const { archive, prices } = await keep([folder])
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
    const { archive, prices, lookAgain } = await keep([], invented)
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
    const named = await keep([join(await makeFolder(), 'gone.csv')], invented)
    expect(named.prices.report()).toMatchObject({ prices: 0, invented: false })
    expect(named.prices.report().files).toMatchObject([{ problem: 'does not exist' }])
  })

  it('prices that were read are prepared for records once, and closing waits for that', async () => {
    const folder = await makeFolder()
    await writeFile(join(folder, 'prices.csv'), 'symbol,date,close\nA,2026-01-02,1\n')
    const archive = await openMemory()
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
    const looks: (() => void)[] = []
    const prices = keepPrices({
      generation: () => 0,
      reader: { ...archive.reader, scores: { ...archive.reader.scores, prepare } },
      prices: archive.prices,
      sources: [folder],
      invented: null,
      benchmark: null,
      now: () => 7,
      log: () => undefined,
      every: (_, run) => {
        looks.push(run)
        return () => undefined
      },
    })
    await prices.settled()
    for (const look of looks) look()
    await prices.settled()
    expect(events).toEqual(['begun'])
    const closed = prices.close()
    finish()
    await closed
    await archive.close()
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
    const { archive, prices, lookAgain } = await keep([path])
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
    const { prices, lookAgain } = await keep([path])
    expect(prices.report()).toMatchObject({ prices: 0, files: [{ problem: 'was not read yet' }] })
    await lookAgain()
    expect(prices.report()).toMatchObject({ prices: 1, problem: null, files: [{ rows: 1 }] })
  })

  it('are not replaced when a file is cut while it is read', async () => {
    const path = join(await makeFolder(), 'a.csv')
    await writeFile(path, 'symbol,date,close\nA,2026-01-02,10\n')
    const given = { cut: false }
    const { prices, lookAgain } = await keep([path], null, {
      fail: () => {
        if (given.cut) writeFileSync(path, 'symbol,date,close\nA,2026-01-02,1')
        return null
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
    const { prices, lookAgain } = await keep([path], null, {
      dropped: join(folder, 'dropped'),
      fail: () => given.failure,
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

  it('of symbols with quotes and semicolons are stored as they are', async () => {
    const path = join(await makeFolder(), 'a.csv')
    const odd = ["A'B", "'; drop table price; --", '$1', '😀'.repeat(32)]
    const lines = odd.map((symbol) => `"${symbol}",2026-01-02,10\n`)
    await writeFile(path, `symbol,date,close\n${lines.join('')}`)
    const { archive, prices } = await keep([path])
    expect(prices.report()).toMatchObject({ prices: odd.length, symbols: odd.length })
    const { symbols } = await archive.reader.scores.market()
    expect([...symbols].sort()).toEqual(odd.map((symbol) => symbol.toUpperCase()).sort())
    await archive.prices.replace(
      async (append) => await append([{ symbol: 'A\0B', day: 1, close: '1' }]),
    )
    await importRows(archive, [makeRating({ id: 1, symbol: 'A' })])
    const { market } = await archive.reader.scores.load()
    expect(market.symbols).toEqual(['A\0B'])
  })
})
