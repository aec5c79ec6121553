import { expect, test } from 'vitest'
import { DEMO_NAMES, demoSymbols } from './demo-community.ts'
import { type DemoClose, drawDemoCloses, type TalentedCall } from './demo-prices.ts'

const DAY = (text: string) => Date.parse(text) / 86_400_000

async function draw(calls: readonly TalentedCall[], lastDay: number, seed = 1) {
  const all: DemoClose[] = []
  for await (const closes of drawDemoCloses({ seed, calls, lastDay })) all.push(...closes)
  return all
}

test('closes are of trading days from a symbol’s listing on, above 0, and of every symbol', async () => {
  const last = DAY('2021-12-31')
  const closes = await draw([], last)
  const first = new Map<string, number>()
  for (const { symbol, day, close } of closes) {
    if (!first.has(symbol)) first.set(symbol, day)
    if (!/^\d+\.\d{4}$/.test(close) || Number(close) <= 0)
      throw new Error(`${symbol} costs ${close}`)
    if ([0, 6].includes(new Date(day * 86_400_000).getUTCDay())) throw new Error('a weekend')
  }
  const listed = demoSymbols.filter(({ listedAt }) => listedAt / 86_400 <= last)
  expect([...first.keys()]).toEqual(listed.map(({ symbol }) => symbol))
  expect(first.get('AAPL')).toBe(DAY('2014-01-01'))
  expect(first.get('COIN')).toBe(DAY('2021-06-01'))
})

test('a close follows what was said on earlier days alone, and the last word counts', async () => {
  const [said, last] = [DAY('2014-06-02'), DAY('2014-12-31')]
  const of = async (calls: TalentedCall[]) =>
    new Map(
      (await draw(calls, last)).flatMap(({ symbol, day, close }) =>
        symbol === 'GM' ? [[day, Number(close)]] : [],
      ),
    )
  const plain = await of([])
  const up = await of([{ symbol: 'GM', day: said, side: 1 }])
  const turned = await of([
    { symbol: 'GM', day: said, side: 1 },
    { symbol: 'GM', day: said + 30, side: -1 },
  ])
  const ratio = (closes: Map<number, number>, day: number) =>
    (closes.get(day) ?? 0) / (plain.get(day) ?? 0)
  expect(ratio(up, said + 1)).toBe(1)
  expect(ratio(up, DAY('2014-12-31'))).toBeCloseTo(Math.exp(0.16), 2)
  expect(ratio(turned, said + 30)).toBeCloseTo(ratio(up, said + 30), 6)
  expect(ratio(turned, DAY('2014-12-31'))).toBeLessThan(1)
})

test('every demo symbol has an invented name of three words and a sector; no name repeats', () => {
  const names = demoSymbols.map(({ symbol }) => DEMO_NAMES.get(symbol))
  expect(names.every((name) => /^\w+ \w+ \w+$/.test(name?.name ?? ''))).toBe(true)
  expect(new Set(names.map((name) => name?.name)).size).toBe(demoSymbols.length)
  const sectors = new Set(names.map((name) => name?.sector))
  expect(sectors.size).toBe(8)
})
