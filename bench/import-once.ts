import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import { importEdition } from '#lib/sync/running/reconcile.ts'
import type { KeptEdition } from '#lib/sync/sync.ts'
import { residentMb, timeMs } from './measure.ts'

/** Arguments: `path rows`. */
async function main(path: string, rows: number): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'bellwether-import-'))
  const now = () => Math.floor(Date.now() / 1000)
  try {
    const archive = await openArchive({ path: join(dir, 'archive.duckdb'), now })
    const { signal } = new AbortController()
    const ignore = () => undefined
    const bringIn = (edition: Pick<KeptEdition, 'path' | 'rows' | 'edition'>) =>
      timeMs(() =>
        importEdition({
          archive,
          signal,
          onProgress: ignore,
          judge: ignore,
          edition: { ...edition, fetched_at: now() } as KeptEdition,
        }),
      )
    const into = await bringIn({ path, rows, edition: '2026-11-15' })
    const peakMb = residentMb(process.pid).peak
    const later = await writeLater(path, join(dir, 'later.csv'))
    const again = await bringIn({ ...later, edition: '2026-11-22' })
    process.stdout.write(`${JSON.stringify({ into, again, peakMb })}\n`)
    await archive.close()
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

const NEW_SHARE = 0.005
const EDITED_EVERY = 200
const GONE_EVERY = 5000
const TALLY = 8

async function writeLater(from: string, path: string): Promise<{ path: string; rows: number }> {
  const out = createWriteStream(path)
  const write = async (cells: readonly (string | number)[]) => {
    if (!out.write(`${cells.join(',')}\n`)) await new Promise<void>((go) => out.once('drain', go))
  }
  let [line, rows] = [0, 0]
  let last: string[] = []
  for await (const text of createInterface({ input: createReadStream(from) })) {
    const cells = text.split(',')
    line += 1
    if (line > 1 && line % GONE_EVERY === 0) continue
    if (line > 1 && line % EDITED_EVERY === 0) cells[TALLY] = String(Number(cells[TALLY]) + 1)
    await write(cells)
    rows += line > 1 ? 1 : 0
    last = cells
  }
  const [id = '', user = ''] = last
  for (let n = 1; n <= line * NEW_SHARE; n += 1) {
    await write([Number(id) + n, Number(user) + (n % 100), ...last.slice(2)])
    rows += 1
  }
  out.end()
  await finished(out)
  return { path, rows }
}

await main(process.argv[2] ?? '', Number(process.argv[3]))
