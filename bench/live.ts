import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { RunningApp } from '../e2e/support/app.ts'
import { get, quantile, residentMb, timeMs, waitFor } from './measure.ts'
import type { Figure } from './table.ts'

const CROWD = 200
const LIMIT_MS = 300_000
const AIM_MS = 250
const AIM_MB = 300

/** So many dump downloads at once beside as many readers of events, and what is left for who reads ratings meanwhile. */
export async function measureLive({ url, pid }: RunningApp): Promise<Figure[]> {
  await waitFor(async () => (await get(`${url}/api/dumps`)).byteLength > 0, LIMIT_MS)
  // Kept answers and code that is loaded once are no growth.
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
    return toFigures({ calm, busy, errors, growth: highest - before })
  } finally {
    clearInterval(watch)
    crowd.stop()
  }
}

/** Times of answers that no cache holds, one after the other for as long as something goes on, in ms. */
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
  const script = fileURLToPath(new URL('crowd.mjs', import.meta.url))
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

type Measured = { calm: number[]; busy: number[]; errors: string[]; growth: number }

const toFigures = ({ calm, busy, errors, growth }: Measured): Figure[] => [
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
