import { onTestFinished } from 'vitest'
import type { Prices } from '#lib/archive/prices/prices.ts'
import { POLL_SECONDS } from '#lib/sync/file-problems.ts'
import { type InventedPrices, keepPrices } from '#lib/sync/prices/keep-prices.ts'
import { importRows, makeRating, openMemory } from '#testing/archive/arbitrary.ts'

type Setup = {
  sources?: string[]
  dropped?: string
  invented?: InventedPrices | null
  /** Runs before each replacement, which fails if it throws. */
  beforeReplace?: () => void
  /** Runs once, behind the first rows. */
  whileReading?: () => Promise<void>
  prepare?: () => Promise<void>
}

/** The prices of files, read once, in an archive in memory that has a rating of AAPL. */
export async function openPrices({ sources = [], dropped, invented = null, ...setup }: Setup = {}) {
  const archive = await openMemory()
  await importRows(archive, [makeRating({ id: 1, symbol: 'AAPL' })])
  const { reader } = archive
  const { prepare = reader.scores.prepare, beforeReplace } = setup
  let { whileReading } = setup
  const watched: Prices = {
    ...archive.prices,
    async replace(fill) {
      beforeReplace?.()
      return await archive.prices.replace(async (append) => {
        await fill(async (rows) => {
          await append(rows)
          const act = whileReading
          whileReading = undefined
          await act?.()
        })
      })
    },
  }
  const looks: (() => void)[] = []
  const clock = { now: 7 }
  const prices = keepPrices({
    generation: () => 1,
    reader: { ...reader, scores: { ...reader.scores, prepare } },
    prices: watched,
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
