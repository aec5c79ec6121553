import { spawn } from 'node:child_process'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import { HORIZONS } from '#lib/contract/horizons.ts'
import { demoSymbols } from '#lib/service/demo-community.ts'
import { type RunningApp, startApp } from '../e2e/support/app.ts'
import { typescript } from '../scripts/run.mjs'
import { type Figure, get, median, quantile, residentMb, timeMs, waitFor } from './measure.ts'

const RATINGS = 1_000_000
const SYMBOLS = 500
const DAYS = 2500
const ROUNDS = 30
const RECORDS = 8
const IMPORTS = 3
const DAY = 86_400

export async function measureRecords(): Promise<Figure[]> {
  const dir = mkdtempSync(join(tmpdir(), 'bellwether-records-'))
  const file = join(dir, 'prices.csv')
  await writePrices(file)
  const app = await startApp({
    env: { DEMO_RATINGS: String(RATINGS), DEMO_TAIL_SECONDS: '0', PRICES_CSV: file },
  })
  try {
    const imported = await measureImport(file)
    await waitFor(async () => await isFilled(app), 300_000)
    return [...imported, ...(await measureAnswers(app))]
  } finally {
    await app.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

async function writePrices(path: string): Promise<void> {
  const out = createWriteStream(path)
  out.write('symbol,date,close\n')
  const names = demoSymbols.map(({ symbol }) => symbol)
  while (names.length < SYMBOLS) names.push(`X${names.length}`)
  const days: string[] = []
  for (let at = Math.floor(Date.now() / 1000 / DAY) - 1; days.length < DAYS; at -= 1) {
    if ((at + 3) % 7 < 5) days.push(new Date(at * DAY * 1000).toISOString().slice(0, 10))
  }
  days.reverse()
  for (const [nth, name] of names.entries()) {
    const lines = days.map((day, at) => {
      const close =
        100 + 40 * Math.sin(at / (20 + (nth % 50)) + nth) + ((at * 7919 + nth) % 500) / 100
      return `${name},${day},${close.toFixed(4)}\n`
    })
    if (!out.write(lines.join(''))) await new Promise<void>((go) => out.once('drain', go))
  }
  out.end()
  await finished(out)
}

async function measureImport(path: string): Promise<Figure[]> {
  const rounds: { ms: number; prices: number; peakMb: number }[] = []
  const once = new URL('prices-once.ts', import.meta.url).pathname
  for (let round = 0; round < IMPORTS; round += 1) {
    const child = spawn(process.execPath, typescript(once, path), {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let last = ''
    for await (const line of createInterface({ input: child.stdout })) last = line
    rounds.push(JSON.parse(last))
  }
  const ms = median(rounds.map((round) => round.ms))
  const peakMb = Math.max(...rounds.map((round) => round.peakMb))
  return [
    {
      what: `import of ${(rounds[0]?.prices ?? 0).toLocaleString('en-US')} prices`,
      got: `${(ms / 1000).toFixed(2)} s (highest resident memory ${peakMb.toFixed(0)} MB, n=${IMPORTS})`,
      aim: '≤ 5 s',
      met: ms <= 5000,
      floor: '–',
    },
  ]
}

async function isFilled({ url }: RunningApp): Promise<boolean> {
  const text = new TextDecoder().decode(await get(`${url}/api/status`))
  const { archive, sync, prices } = JSON.parse(text).data
  return archive.ratings >= RATINGS && sync.state === 'idle' && prices.prices >= SYMBOLS * DAYS
}

async function measureAnswers({ url, pid }: RunningApp): Promise<Figure[]> {
  const ask = async (path: string) => await timeMs(() => get(url + path))
  const scored: number[] = []
  for (const horizon of HORIZONS) {
    scored.push(await ask(`/api/calls?horizon=${horizon}&per_page=1`))
  }
  const first = await ask('/api/record?horizon=90')
  const today = Math.floor(Date.now() / 1000 / DAY) * DAY
  const records: number[] = []
  for (let round = 1; round <= RECORDS; round += 1) {
    records.push(await ask(`/api/record?horizon=90&asof=${today - round * 30 * DAY}`))
  }
  await ask('/api/users/1/track?horizon=90')
  const tracks: number[] = []
  for (const user of await loadUsers(url))
    tracks.push(await ask(`/api/users/${user}/track?horizon=90`))
  return [
    latency('all calls scored at one horizon, when it is first asked for', scored, 1500),
    latency('/api/record, the first time', [first], 300),
    latency('/api/record as of a day that nobody asked for', records, 300),
    latency('/api/users/{id}/track, uncached', tracks, 150),
    {
      what: 'resident memory after all that (highest)',
      got: `${residentMb(pid).now.toFixed(0)} MB (${residentMb(pid).peak.toFixed(0)} MB)`,
      aim: '–',
      met: null,
      floor: '–',
    },
  ]
}

async function loadUsers(url: string): Promise<number[]> {
  const { data } = JSON.parse(
    new TextDecoder().decode(await get(`${url}/api/users?per_page=${ROUNDS}`)),
  ) as { data: { user_id: number }[] }
  return data.map(({ user_id }) => user_id)
}

const latency = (what: string, times: number[], aimMs: number): Figure => ({
  what: `${what}, 1,000,000 ratings, 1,250,000 prices`,
  got: `${median(times).toFixed(0)} ms (p90 ${quantile(times, 0.9).toFixed(0)}, n=${times.length})`,
  aim: `≤ ${aimMs} ms`,
  met: median(times) <= aimMs,
  floor: '–',
})
