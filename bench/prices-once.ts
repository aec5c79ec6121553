import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import { keepPrices } from '#lib/sync/prices/keep-prices.ts'
import { residentMb, timeMs } from './measure.ts'

async function main(path: string): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'bellwether-prices-'))
  const now = () => Math.floor(Date.now() / 1000)
  try {
    const archive = await openArchive({ path: join(dir, 'archive.duckdb'), now, benchmark: null })
    const ignore = () => undefined
    const ms = await timeMs(async () => {
      const kept = keepPrices({
        reader: archive.reader,
        prices: archive.prices,
        sources: [path],
        invented: null,
        benchmark: null,
        now,
        generation: () => 0,
        every: () => ignore,
        log: ignore,
      })
      await kept.settled()
      await kept.close()
    })
    const { prices } = archive.prices.state()
    process.stdout.write(
      `${JSON.stringify({ ms, prices, peakMb: residentMb(process.pid).peak })}\n`,
    )
    await archive.close()
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

await main(process.argv[2] ?? '')
