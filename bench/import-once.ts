import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import { importEdition } from '#lib/sync/running/reconcile.ts'
import type { KeptEdition } from '#lib/sync/sync.ts'
import { residentMb, timeMs } from './measure.ts'

/** Imports a dump into an empty archive, as the sync does, and prints how long that took: `path rows`. */
async function main(path: string, rows: number): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'bellwether-import-'))
  const now = () => Math.floor(Date.now() / 1000)
  try {
    const archive = await openArchive({ path: join(dir, 'archive.duckdb'), now })
    const edition = { path, rows, edition: '2026-11-15', fetched_at: now() } as KeptEdition
    const { signal } = new AbortController()
    const ignore = () => undefined
    const into = await timeMs(() =>
      importEdition({ archive, edition, signal, onProgress: ignore, judge: ignore }),
    )
    process.stdout.write(`${JSON.stringify({ into, peakMb: residentMb(process.pid).peak })}\n`)
    await archive.close()
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

await main(process.argv[2] ?? '', Number(process.argv[3]))
