import { toUnit } from './random.ts'

const DAY = 86_400
const QUARTER_DAYS = 91
const STREAMS = { level: 21, phase: 22, period: 23, verdict: 24, event: 25 }
const WAVES = [
  { days: 1100, size: 0.75 },
  { days: 290, size: 0.5 },
  { days: 67, size: 0.25 },
]

/** What the community thinks of each symbol, as points above or below Hold, and which symbols make news on a day. */
export type Opinion = {
  at(symbol: number, second: number): number
  newsOf(second: number): readonly number[]
}

/**
 * Each symbol's opinion drifts on waves of its own and jumps with its quarterly report. It is a function of seed,
 * symbol and day, so that a history and its live tail agree without a state between them.
 */
export function createOpinion(seed: number, symbols: number): Opinion {
  const cache = new Float64Array(symbols)
  const cachedDay = new Int32Array(symbols).fill(-1)
  let newsDay = -1
  let news: number[] = []
  return {
    at(symbol, second) {
      const day = Math.floor(second / DAY)
      if (cachedDay[symbol] !== day) {
        cache[symbol] = toOpinion(seed, symbol, day)
        cachedDay[symbol] = day
      }
      return cache[symbol] ?? 0
    },
    newsOf(second) {
      const day = Math.floor(second / DAY)
      if (newsDay !== day) {
        newsDay = day
        news = Array.from({ length: symbols }, (_, symbol) => symbol).filter(
          (symbol) => toDayOfQuarter(seed, symbol, day) < 2,
        )
      }
      return news
    },
  }
}

function toOpinion(seed: number, symbol: number, day: number): number {
  const level = 0.4 + 1.2 * (toUnit(seed, STREAMS.level, symbol) - 0.5)
  const waves = WAVES.map(({ days, size }, wave) => {
    const key = symbol * WAVES.length + wave
    const period = days * (0.7 + 0.6 * toUnit(seed, STREAMS.period, key))
    const phase = toUnit(seed, STREAMS.phase, key)
    return size * Math.sin(2 * Math.PI * (day / period + phase))
  })
  const quarter = Math.floor((day + toOffset(seed, symbol)) / QUARTER_DAYS)
  const verdict = 0.9 * (toUnit(seed, STREAMS.verdict, symbol * 1000 + quarter) - 0.5)
  return level + verdict + waves.reduce((sum, wave) => sum + wave, 0)
}

const toOffset = (seed: number, symbol: number) =>
  Math.floor(QUARTER_DAYS * toUnit(seed, STREAMS.event, symbol))

const toDayOfQuarter = (seed: number, symbol: number, day: number) =>
  (day + toOffset(seed, symbol)) % QUARTER_DAYS
