import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { importRows, makeRating, openMemory } from '#testing/archive/arbitrary.ts'
import { keepPrices } from './keep-prices.ts'
import { readPriceFile } from './read-price-file.ts'

async function makeFile(content: string | Uint8Array, name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bellwether-odd-prices-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, name), content)
  return join(folder, name)
}

async function read(content: string | Uint8Array, name = 'prices.csv') {
  const path = await makeFile(content, name)
  const [closes, rejects]: [string[], string[]] = [[], []]
  for await (const batch of readPriceFile(path, new AbortController().signal)) {
    for (const { symbol, day, close } of batch.rows) {
      closes.push(`${symbol} ${new Date(day * 86_400_000).toISOString().slice(0, 10)} ${close}`)
    }
    for (const { line, column, value, reason } of batch.rejected) {
      rejects.push(`${line} ${column} ${value} ${reason}`)
    }
  }
  return { closes, rejects }
}

it.each(['adjClose', 'Adj Close**', 'adj_close', 'closeadj', 'Adjusted.Close', 'ADJ CLOSE*'])(
  'an adjusted close named %s wins over the close',
  async (name) => {
    const text = `symbol,date,close,${name}\nNVDA,2024-06-06,1209.98,120.94\n`
    expect((await read(text)).closes).toEqual(['NVDA 2024-06-06 120.94'])
  },
)

it.each(['Close', 'close_price', 'Close/Last', 'Close*', 'Price', '<CLOSE>'])(
  'a close named %s is read',
  async (name) => {
    const text = `ticker,date,${name}\nA,2026-01-02,$7.5\n`
    expect((await read(text)).closes).toEqual(['A 2026-01-02 7.5'])
  },
)

const TWO_NUMBERS =
  'has a close that can be read as two numbers: its column does not show the decimal mark'

/** More than one piece of 128 KiB. */
const ROWS = 7000

async function readColumn(cells: readonly string[], delimiter: string) {
  const lines = cells.map((cell, index) =>
    ['A', `${2000 + (index % 20)}-01-02`, delimiter === ',' ? `"${cell}"` : cell].join(delimiter),
  )
  const { closes, rejects } = await read(
    `${['symbol', 'date', 'close'].join(delimiter)}\n${lines.join('\n')}\n`,
  )
  const reasons = new Set(rejects.map((reject) => reject.slice(reject.indexOf('has a close'))))
  return { closes: closes.map((close) => close.split(' ')[2] ?? ''), reasons: [...reasons] }
}

it.each([
  { many: '1,246', one: '207,88', delimiter: ',', closes: ['207.88'], reasons: [TWO_NUMBERS] },
  { many: '1,246', one: '207,88', delimiter: ';', closes: ['1.246', '207.88'], reasons: [] },
  { many: '1,246', one: '207,88', delimiter: '\t', closes: ['1.246', '207.88'], reasons: [] },
  { many: '1.246', one: '207.88', delimiter: ';', closes: ['1.246', '207.88'], reasons: [] },
  { many: '1.246', one: '207,88', delimiter: ';', closes: ['1246', '207.88'], reasons: [] },
  { many: '207,88', one: '1,246', delimiter: ',', closes: ['207.88'], reasons: [TWO_NUMBERS] },
  { many: '207,88', one: '1.246', delimiter: ';', closes: ['207.88', '1246'], reasons: [] },
  {
    many: '207,88',
    one: '207.88',
    delimiter: ';',
    closes: ['207.88'],
    reasons: ['has a close that uses a different decimal mark than the rest of its column'],
  },
])(
  'reads a column of $many by the whole file when the only $one is first or last, between “$delimiter”',
  async ({ many, one, delimiter, closes, reasons }) => {
    const cells = Array<string>(ROWS).fill(many)
    const [first, last, few] = await Promise.all([
      readColumn([one, ...cells], delimiter),
      readColumn([...cells, one], delimiter),
      readColumn([...cells.slice(0, 50), one], delimiter),
    ])
    for (const column of [first, last, few]) {
      expect(new Set(column.closes)).toEqual(new Set(closes))
      expect(column.reasons).toEqual(reasons)
    }
    expect(last.closes.toSorted()).toEqual(first.closes.toSorted())
  },
)

it('refuses open dates when the file shows both orders, however far apart', async () => {
  const days = '02/01/2026,1\n'.repeat(ROWS)
  const { closes, rejects } = await read(`date,close\n13/01/2026,2\n${days}01/13/2026,3\n`, 'A.csv')
  expect(closes).toEqual(['A 2026-01-13 2', 'A 2026-01-13 3'])
  expect(rejects).toHaveLength(ROWS)
})

it.each([
  ['one symbol', 'Price,Close,High\nTicker,AAPL,AAPL\nDate,,\n2026-01-02,207.88,209\n'],
  ['tickers first', 'Ticker,AAPL,AAPL\nPrice,High,Close\nDate,,\n2026-01-02,209,207.88\n'],
  ['an adjusted close', 'Price,Adj Close,Close\nTicker,AAPL,AAPL\nDate,,\n2026-01-02,207.88,9\n'],
])('the three header lines of yfinance are read: %s', async (_, text) => {
  expect(await read(text)).toEqual({ closes: ['AAPL 2026-01-02 207.88'], rejects: [] })
})

it('several symbols side by side are read, and a day without a close is no reject', async () => {
  const text = 'Price,Close,Close\nTicker,A,B\nDate,,\n2026-01-02,1,2\n2026-01-05,,3\n'
  expect(await read(text)).toEqual({
    closes: ['A 2026-01-02 1', 'B 2026-01-02 2', 'B 2026-01-05 3'],
    rejects: [],
  })
})

it.each([
  ['AAPL.csv', 'AAPL'],
  ['AAPL (1).csv', 'AAPL'],
  ['AAPL(2).CSV', 'AAPL'],
  ['BRK.B - Copy.csv', 'BRK.B'],
  ['AAPL copy 2.csv', 'AAPL'],
])('the file %s is of %s', async (name, symbol) => {
  expect((await read('Date,Close\n2026-01-02,1\n', name)).closes).toEqual([
    `${symbol} 2026-01-02 1`,
  ])
})

it.each([
  ['2026/01/02', '2026-01-02'],
  ['20260102', '2026-01-02'],
  ['2026-01-02T00:00:00-05:00', '2026-01-02'],
  ['Jan 2, 2026', '2026-01-02'],
  ['2-Jan-2026', '2026-01-02'],
  ['01/13/2026', '2026-01-13'],
  ['13.01.2026', '2026-01-13'],
])('the date %s is %s', async (text, day) => {
  expect((await read(`symbol,date,close\nA,"${text}",1\n`)).closes).toEqual([`A ${day} 1`])
})

it('dates with the month first are read where a day above 12 shows the order', async () => {
  const text = 'Date,Close/Last\n01/02/2026,$207.88\n01/13/2026,$209\n'
  expect((await read(text, 'AAPL.csv')).closes).toEqual([
    'AAPL 2026-01-02 207.88',
    'AAPL 2026-01-13 209',
  ])
})

async function keep(path: string) {
  const archive = await openMemory()
  onTestFinished(async () => await archive.close())
  await importRows(archive, [makeRating({ id: 1, symbol: 'AAPL' })])
  const kept = keepPrices({
    reader: archive.reader,
    prices: archive.prices,
    sources: [path],
    invented: null,
    benchmark: null,
    now: () => 7,
    generation: () => 1,
    log: () => undefined,
    every: () => () => undefined,
  })
  onTestFinished(async () => await kept.close())
  await kept.settled()
  return kept
}

it('symbols with prices that nobody rated are counted, with the rated symbol that may be meant', async () => {
  const text = 'symbol,date,close\nAAPL.US,2026-01-02,1\nAAPL,2026-01-02,1\nZZZ,2026-01-02,1\n'
  const kept = await keep(await makeFile(text, 'prices.csv'))
  expect(kept.report().unrated).toEqual({
    symbols: 2,
    examples: [
      { symbol: 'AAPL.US', similar: 'AAPL' },
      { symbol: 'ZZZ', similar: null },
    ],
  })
})

it('a file that has rows, none of which is a price, is an empty import', async () => {
  const rejected = await keep(await makeFile('symbol,date,close\nA,soon,1\n', 'prices.csv'))
  expect(rejected.emptyImports()).toEqual(['prices.csv'])
  const columns = await keep(await makeFile('a,b\n1,2\n', 'prices.csv'))
  expect(columns.emptyImports()).toEqual(['prices.csv'])
  const good = await keep(await makeFile('symbol,date,close\nA,2026-01-02,1\n', 'prices.csv'))
  expect(good.emptyImports()).toEqual([])
  const empty = await keep(await makeFile('', 'prices.csv'))
  expect(empty.emptyImports()).toEqual([])
})
