import { spawn } from 'node:child_process'
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get as httpGet } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import { type RunningApp, startApp } from '../e2e/support/app.ts'
import { startFileServer } from './floor-server.ts'
import { type Figure, get, median, quantile, residentMb, timeMs, waitFor } from './measure.ts'

const ROUNDS = 5

export async function measureExports({ url, pid }: RunningApp): Promise<Figure[]> {
  const csv = `${url}/api/ratings.csv`
  const parquet = `${url}/api/ratings.parquet`
  const memory = watchMemory(pid)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const address of [csv, parquet]) await receive(address)
  }
  const before = memory.takeHighest()
  const rates: number[] = []
  const parquetMs: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const received = await receive(csv)
    rates.push((received.rows / received.ms) * 1000)
    parquetMs.push((await receive(parquet)).ms)
  }
  const growth = memory.takeHighest() - before
  memory.stop()
  const waits = await measureMeanwhile(url, `${csv}?sort=symbol`)
  const [rate, ms] = [median(rates), median(parquetMs)]
  return [
    {
      what: 'everything as CSV',
      got: `${Math.round(rate / 1000).toLocaleString('en-US')},000 rows/s`,
      aim: '≥ 100,000 rows/s',
      met: rate >= 100_000,
      floor: '–',
    },
    {
      what: 'everything as Parquet',
      got: `${(ms / 1000).toFixed(1)} s`,
      aim: '≤ 5 s',
      met: ms <= 5000,
      floor: '–',
    },
    {
      what: `highest resident memory of ${ROUNDS} rounds of exports, and of ${ROUNDS} more`,
      got: `${before.toFixed(0)} MB, ${growth.toFixed(0)} MB more`,
      aim: '≤ 50 MB more',
      met: growth <= 50,
      floor: '–',
    },
    {
      what: '/api/ratings by user, uncached, while two exports run',
      got: `${median(waits).toFixed(0)} ms (p95 ${quantile(waits, 0.95).toFixed(0)}, n=${waits.length})`,
      aim: 'p95 < 250 ms',
      met: quantile(waits, 0.95) < 250,
      floor: '–',
    },
  ]
}

/** In MB, since the previous call. */
function watchMemory(pid: number) {
  let highest = 0
  const timer = setInterval(() => {
    highest = Math.max(highest, residentMb(pid).now)
  }, 50)
  return {
    takeHighest: () => {
      const taken = highest
      highest = 0
      return taken
    },
    stop: () => clearInterval(timer),
  }
}

async function measureMeanwhile(url: string, address: string): Promise<number[]> {
  const waits: number[] = []
  let running = true
  const exports = Promise.all([receive(address), receive(address)]).then(() => {
    running = false
  })
  for (let user = 1; running; user += 1) {
    waits.push(await timeMs(() => get(`${url}/api/ratings?user=${user}`)))
  }
  await exports
  return waits
}

export function receive(url: string): Promise<{ rows: number; ms: number }> {
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    httpGet(url, (response) => {
      const rows = Number(response.headers['bellwether-rows'])
      response.resume()
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200) resolve({ rows, ms: performance.now() - begun })
        else reject(new Error(`${response.statusCode} from ${url}`))
      })
    }).on('error', reject)
  })
}

const GIGABYTE = 1_000_000_000
const PAIRS = 5
const POST =
  '1,12,AAPL,4,Moderate Buy,1,Initiated,12.50,0,0,0,1704067200,2024-01-01 00:00:00,1711929600,2024-04-01 00:00:00'

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

/** Large, but quick to verify. */
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

/** MB per second. */
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

const CROWD = 200
const LIMIT_MS = 300_000
const AIM_MS = 250
const AIM_MB = 300

export async function measureLive({ url, pid }: RunningApp): Promise<Figure[]> {
  await waitFor(async () => (await get(`${url}/api/dumps`)).byteLength > 0, LIMIT_MS)
  // Warms up, so that caches do not count as growth.
  for (let page = 1; page <= 20; page += 1) await get(`${url}/api/ratings?page=${page}`)
  const calm = await sampleWhile(url, async () => {
    await new Promise((resolve) => setTimeout(resolve, 3000))
  })
  const before = residentMb(pid).now
  let highest = before
  const watch = setInterval(() => {
    highest = Math.max(highest, residentMb(pid).now)
  }, 100)
  const crowd = startCrowd(url)
  try {
    await crowd.listening
    const busy = await sampleWhile(url, () => crowd.downloaded)
    const errors = await crowd.downloaded
    return toStreamFigures({ calm, busy, errors, growth: highest - before })
  } finally {
    clearInterval(watch)
    crowd.stop()
  }
}

/** Milliseconds, uncached. */
async function sampleWhile(url: string, work: () => Promise<unknown>): Promise<number[]> {
  let isOver = false
  const working = work().finally(() => {
    isOver = true
  })
  const times: number[] = []
  for (let page = 1; !isOver; page += 1) {
    times.push(await timeMs(() => get(`${url}/api/ratings?page=${page}&per_page=49`)))
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await working
  return times
}

type Crowd = { listening: Promise<void>; downloaded: Promise<string[]>; stop(): void }

function startCrowd(url: string): Crowd {
  const script = fileURLToPath(new URL('load-generator.mjs', import.meta.url))
  const args = [script, url, '/api/v1/posts/dumps', String(CROWD)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS)
  const lines = createInterface({ input: child.stdout })
  const said = (word: string) =>
    new Promise<string>((resolve, reject) => {
      lines.on('line', (line) => line.startsWith(word) && resolve(line.slice(word.length)))
      child.once('exit', () => reject(new Error(`the crowd left before it had ${word}`)))
    })
  const listening = said('listening').then(() => undefined)
  const downloaded = said('downloaded').then(
    (text) => (JSON.parse(text) as { errors: string[] }).errors,
  )
  downloaded.catch(() => undefined)
  return {
    listening,
    downloaded,
    stop: () => {
      clearTimeout(limit)
      child.kill('SIGKILL')
    },
  }
}

type StreamsMeasured = { calm: number[]; busy: number[]; errors: string[]; growth: number }

const toStreamFigures = ({ calm, busy, errors, growth }: StreamsMeasured): Figure[] => [
  {
    what: `${CROWD} dump downloads at once beside ${CROWD} readers of events`,
    got: errors.length === 0 ? 'no error' : `${errors.length} errors, first: ${errors[0]}`,
    aim: 'no error',
    met: errors.length === 0,
    floor: '–',
  },
  {
    what: 'growth of resident memory meanwhile',
    got: `${growth.toFixed(0)} MB`,
    aim: `< ${AIM_MB} MB`,
    met: growth < AIM_MB,
    floor: '–',
  },
  {
    what: '/api/ratings meanwhile, uncached, 95 % within',
    got: `${quantile(busy, 0.95).toFixed(0)} ms (n=${busy.length})`,
    aim: `< ${AIM_MS} ms`,
    met: quantile(busy, 0.95) < AIM_MS,
    floor: `${quantile(calm, 0.95).toFixed(0)} ms: the same with nobody else there`,
  },
]
