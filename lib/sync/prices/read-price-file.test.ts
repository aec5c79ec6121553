import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { openPrices } from '#testing/sync/open-prices.ts'
import { makeFolder } from '#testing/sync/scripted-service.ts'
import { readPriceFile } from './read-price-file.ts'

async function makeFile(content: string | Uint8Array, name: string): Promise<string> {
  const folder = await makeFolder()
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

it.each([
  ['any order and case', 'Date,Open,TICKER,Close_Price\n2026-01-02,1,AAPL,207.8792'],
  ['tabs, quotes and a time', 'symbol\tdate\tclose\n"AAPL"\t2026-01-02 00:00\t207.8792\n'],
])('columns are read with %s', async (_, text) => {
  expect(await read(text)).toEqual({ closes: ['AAPL 2026-01-02 207.8792'], rejects: [] })
})

it.each([
  ['no close', 'symbol,date\nA,2026-01-02\n', 'has no column “close”'],
  [
    'a quote without end',
    `symbol,date,close\n"${'x'.repeat(2_000_000)}`,
    'has a record longer than 1 MB on line 2',
  ],
])('a file of %s is refused as a whole', async (_, content, why) => {
  await expect(read(content)).rejects.toThrow(why)
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
])('sets aside %s, by its line, and reads on', async (record, reason) => {
  const lines = ['symbol,date,close', record, 'AAPL,2026-01-02,207.8792', '']
  const { closes, rejects } = await read(lines.join('\n'))
  expect(rejects).toEqual([expect.stringMatching(/^2 /)])
  expect(rejects[0]?.endsWith(reason)).toBe(true)
  expect(closes).toEqual(['AAPL 2026-01-02 207.8792'])
})

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

const keepFile = async (path: string) => (await openPrices({ sources: [path] })).prices

it('symbols with prices that nobody rated are counted, with the rated symbol that may be meant', async () => {
  const text = 'symbol,date,close\nAAPL.US,2026-01-02,1\nAAPL,2026-01-02,1\nZZZ,2026-01-02,1\n'
  const kept = await keepFile(await makeFile(text, 'prices.csv'))
  expect(kept.report().unrated).toEqual({
    symbols: 2,
    examples: [
      { symbol: 'AAPL.US', similar: 'AAPL' },
      { symbol: 'ZZZ', similar: null },
    ],
  })
})

it('a file that has rows, none of which is a price, is an empty import', async () => {
  const rejected = await keepFile(await makeFile('symbol,date,close\nA,soon,1\n', 'prices.csv'))
  expect(rejected.emptyImports()).toEqual(['prices.csv'])
  const columns = await keepFile(await makeFile('a,b\n1,2\n', 'prices.csv'))
  expect(columns.emptyImports()).toEqual(['prices.csv'])
  const good = await keepFile(await makeFile('symbol,date,close\nA,2026-01-02,1\n', 'prices.csv'))
  expect(good.emptyImports()).toEqual([])
  const empty = await keepFile(await makeFile('', 'prices.csv'))
  expect(empty.emptyImports()).toEqual([])
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
