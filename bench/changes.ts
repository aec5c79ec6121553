import { type Figure, sampleMs } from './measure.ts'
import { latency, loadSpan, selectBusiest } from './opinion.ts'

const ROUNDS = 20
const DAY = 86_400

export async function measureChanges(url: string): Promise<Figure[]> {
  const busiest = await selectBusiest(url)
  const { first, now } = await loadSpan(url, busiest)
  const sample = (toPath: (round: number) => string) => sampleMs(url, toPath, ROUNDS)
  const moves = `/api/symbols/${busiest}/moves`
  const life = await sample((round) => `${moves}?from=${first - 1}&to=${now - round * 60}`)
  const year = await sample(
    (round) => `${moves}?from=${now - 365 * DAY - round * 60}&to=${now - round * 60}`,
  )
  const week = await sample(
    (round) => `/api/changes?from=${now - 7 * DAY - round * 60}&to=${now - round * 60}`,
  )
  const month = await sample(
    (round) => `/api/changes?from=${now - 30 * DAY - round * 60}&to=${now - round * 60}`,
  )
  const feed = await sample((round) => `/api/ratings.atom?per_page=50&user=-${round + 1}`)
  const own = await sample((round) => `/api/ratings.atom?symbol=${busiest}&user=-${round + 1}`)
  return [
    latency(`why ${busiest}, the busiest symbol, moved over its life, uncached`, life, 100),
    latency('the same over a year', year, 40),
    latency('what changed in a week, uncached', week, 300),
    latency('what changed in a month, uncached', month, null),
    latency('a feed of 50 ratings, uncached', feed, 20),
    latency(`a feed of the ratings of ${busiest}, uncached`, own, 20),
  ]
}
