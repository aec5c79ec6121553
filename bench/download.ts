import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get as httpGet } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import { startApp } from '../e2e/support/app.ts'
import { startFileServer } from './floor-server.ts'
import { median, residentMb, waitFor } from './measure.ts'
import type { Figure } from './table.ts'

const GIGABYTE = 1_000_000_000
const PAIRS = 5
const POST =
  '1,12,AAPL,4,Moderate Buy,1,Initiated,12.50,0,0,0,1704067200,2024-01-01 00:00:00,1711929600,2024-04-01 00:00:00'

/** A 1 GB edition, which has come the whole way, downloaded in turn with the same file from a bare server. */
export async function measureDownload(): Promise<Figure[]> {
  const dir = mkdtempSync(join(tmpdir(), 'bellwether-gigabyte-'))
  const posts = join(dir, 'posts.csv')
  const lookups = join(dir, 'lookups.csv')
  writeFileSync(posts, `${RATING_FIELDS.join(',')}\n${POST}\n`)
  await writeGigabyte(lookups)
  const app = await startApp({ env: { SERVICE_POSTS_CSV: posts, SERVICE_LOOKUPS_CSV: lookups } })
  const floor = await startFileServer(lookups)
  try {
    const ours = `${app.url}/api/v1/lookups/dumps`
    await waitFor(() => isKept(app.url), 300_000)
    await download(ours)
    const before = residentMb(app.pid).now
    let highest = before
    const watch = setInterval(() => {
      highest = Math.max(highest, residentMb(app.pid).now)
    }, 50)
    const [ratios, rates, floors]: number[][] = [[], [], []]
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const rate = await download(ours)
      const bare = await download(floor.url)
      rates?.push(rate)
      floors?.push(bare)
      ratios?.push(rate / bare)
    }
    clearInterval(watch)
    return toFigures({ ratios, rates, floors, growth: highest - before })
  } finally {
    await floor.stop()
    await app.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

type Measured = { ratios?: number[]; rates?: number[]; floors?: number[]; growth: number }

const toFigures = ({ ratios = [], rates = [], floors = [], growth }: Measured): Figure[] => [
  {
    what: 'a 1 GB edition downloaded',
    got: `${median(rates).toFixed(0)} MB/s, ${(median(ratios) * 100).toFixed(0)} % of the floor`,
    aim: '≥ 80 %',
    met: median(ratios) >= 0.8,
    floor: `${median(floors).toFixed(0)} MB/s: a bare Node file server`,
  },
  {
    what: 'growth of resident memory over those downloads',
    got: `${growth.toFixed(0)} MB`,
    aim: '≤ 50 MB',
    met: growth <= 50,
    floor: '–',
  },
]

async function isKept(url: string): Promise<boolean> {
  const response = await fetch(`${url}/api/dumps`)
  const { data } = (await response.json()) as { data: { lookups: { edition: unknown } } }
  return data.lookups.edition !== null
}

/** Rows with a long text, so that the file is large and quickly verified. */
async function writeGigabyte(path: string): Promise<void> {
  const out = createWriteStream(path)
  out.write('id,note\n')
  const note = 'x'.repeat(10_000)
  for (let id = 1; id * 10_000 < GIGABYTE; id += 1) {
    if (!out.write(`${id},${note}\n`))
      await new Promise<void>((resolve) => out.once('drain', resolve))
  }
  out.end()
  await finished(out)
}

/** Reads an answer to its end and throws it away; gives MB a second. */
function download(url: string): Promise<number> {
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    httpGet(url, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.byteLength
      })
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode !== 200 || bytes < GIGABYTE * 0.99)
          reject(new Error(`${bytes} bytes`))
        else resolve(bytes / 1000 / (performance.now() - begun))
      })
    }).on('error', reject)
  })
}
