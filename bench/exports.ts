import { get as httpGet } from 'node:http'
import type { RunningApp } from '../e2e/support/app.ts'
import { get, median, quantile, residentMb, timeMs } from './measure.ts'
import type { Figure } from './table.ts'

const ROUNDS = 5

/** Exports of everything there is: how fast they come, what they cost in memory, and who has to wait meanwhile. */
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
      what: '/api/ratings by member, uncached, while two exports run',
      got: `${median(waits).toFixed(0)} ms (p95 ${quantile(waits, 0.95).toFixed(0)}, n=${waits.length})`,
      aim: 'p95 < 250 ms',
      met: quantile(waits, 0.95) < 250,
      floor: '–',
    },
  ]
}

/** The highest resident memory, in MB, since it was last asked for. */
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

/** Questions that no cache answers, one after the other, for as long as two exports last that have to be sorted. */
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

/** Reads an export to its end and throws it away. */
function receive(url: string): Promise<{ rows: number; ms: number }> {
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
