import { setImmediate } from 'node:timers/promises'
import { createRandom, DEMO_START, demoSymbols, toUnit } from './demo-community.ts'

/** `day`: days since 1970-01-01; `close`: decimal text above 0. */
export type DemoClose = { symbol: string; day: number; close: string }

/** `side`: 1 is buy, −1 is sell. */
export type TalentedCall = { symbol: string; day: number; side: number }

export const TALENTS = 6
export const TALENT_CALLS = 100
export const TALENT_CALLS_MIN = 30

export const CROWDED_SYMBOLS = new Set(demoSymbols.slice(0, 12).map(({ symbol }) => symbol))

type Drawing = { seed: number; calls: readonly TalentedCall[]; lastDay: number }

/** A close depends only on earlier days, so that a later `lastDay` extends the same series. */
export async function* drawDemoCloses(drawing: Drawing): AsyncGenerator<DemoClose[]> {
  const market = createMarket(drawing.seed, drawing.lastDay)
  const said = new Map<string, TalentedCall[]>(demoSymbols.map(({ symbol }) => [symbol, []]))
  for (const call of drawing.calls) said.get(call.symbol)?.push(call)
  for (const [index, { symbol }] of demoSymbols.entries()) {
    yield drawSymbol(index, { ...drawing, market, calls: said.get(symbol) ?? [] })
    await setImmediate()
  }
}

const STREAMS = { market: 51, own: 52, level: 53, restlessness: 54, beta: 55 }
const DAY = 86_400
const FIRST_DAY = DEMO_START / DAY

/** Daily logarithms: about 6% growth a year. */
const MARKET = { growth: 0.000_23, spread: 0.009 }
const OWN_SPREAD = { least: 0.006, more: 0.007 }

const LEAN = 0.16
const LEAN_DAYS = { from: 2, to: 92 }
const LEAN_A_DAY = (LEAN * 7) / 5 / (LEAN_DAYS.to - LEAN_DAYS.from)

/** 1970-01-01 was a Thursday. */
const isTradingDay = (day: number) => (day + 3) % 7 < 5

function createMarket(seed: number, lastDay: number): Float64Array {
  const random = createRandom(seed, STREAMS.market)
  const moves = new Float64Array(Math.max(0, lastDay - FIRST_DAY + 1))
  for (let at = 0; at < moves.length; at += 1) {
    moves[at] = MARKET.growth + MARKET.spread * drawNormal(random)
  }
  return moves
}

type Random = ReturnType<typeof createRandom>

/** Approximately standard normal: the sum of four uniform values. */
const drawNormal = (random: Random) =>
  (random.next() + random.next() + random.next() + random.next() - 2) * Math.sqrt(3)

function drawSymbol(index: number, drawing: Drawing & { market: Float64Array }): DemoClose[] {
  const { seed, calls, market, lastDay } = drawing
  const { symbol, listedAt } = demoSymbols[index] ?? { symbol: '', listedAt: 0 }
  const random = createRandom(seed, STREAMS.own)
  random.seek(index)
  const spread = OWN_SPREAD.least + OWN_SPREAD.more * toUnit(seed, STREAMS.restlessness, index)
  const beta = 0.7 + 0.6 * toUnit(seed, STREAMS.beta, index)
  const leaning = createLeaning(calls)
  const closes: DemoClose[] = []
  let level = Math.log(8) + 3 * toUnit(seed, STREAMS.level, index)
  for (let day = Math.max(FIRST_DAY, Math.ceil(listedAt / DAY)); day <= lastDay; day += 1) {
    if (!isTradingDay(day)) continue
    const own = spread * drawNormal(random)
    level += beta * (market[day - FIRST_DAY] ?? 0) + own + leaning(day)
    closes.push({ symbol, day, close: Math.max(0.01, Math.exp(level)).toFixed(4) })
  }
  return closes
}

function createLeaning(calls: readonly TalentedCall[]): (day: number) => number {
  let next = 0
  return (day) => {
    while (next < calls.length && (calls[next]?.day ?? 0) + LEAN_DAYS.from <= day) next += 1
    const last = calls[next - 1]
    return last && day - last.day <= LEAN_DAYS.to ? last.side * LEAN_A_DAY : 0
  }
}
