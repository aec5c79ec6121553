import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { startFramework } from './floor-server.ts'
import { type Figure, firstLoadKib, get, median, quantile, timeMs, waitFor } from './measure.ts'

const ROUNDS = 40
const LOAD_SECONDS = 5
const LOAD_PAIRS = 3

export async function measureQueries(url: string): Promise<Figure[]> {
  const symbols = await loadSymbols(url)
  const bySymbol = await sample(
    symbols,
    (symbol, i) => `${url}/api/ratings?symbol=${symbol}&page=${1 + (i % 3)}`,
  )
  const facets = await sample(symbols, (symbol) => `${url}/api/facets?symbol=${symbol}`)
  const facetsOfAll = await sample(
    symbols,
    (_symbol, i) => `${url}/api/facets?prediction_min=-${i + 1}.5`,
  )
  const series = await sample(symbols, (symbol) => `${url}/api/symbols/${symbol}/series`)
  return [
    latency('/api/ratings by symbol, uncached', bySymbol, 40),
    latency('/api/facets by symbol, uncached', facets, 80),
    latency('/api/facets of nearly all, uncached', facetsOfAll, 80),
    latency('/api/symbols/{symbol}/series, uncached', series, null),
    await measureWatching(url, symbols),
    await measureLookups(url, symbols),
    ...(await measureKept(url, `/api/ratings?symbol=${symbols[0]}`)),
  ]
}

async function measureWatching(url: string, symbols: string[]): Promise<Figure> {
  const times = await sample(symbols, (_symbol, i) => {
    const users = Array.from({ length: 20 }, (_, n) => 1 + 20 * i + n)
    const params = new URLSearchParams({
      symbol: [...symbols.slice(i), ...symbols.slice(0, i)].slice(0, 25).join(),
      user: users.join(),
    })
    for (let n = 1; n <= 5; n += 1) params.append('view', `rating=${n}&prediction_min=-${i + 1}.5`)
    return `${url}/api/watching?${params}`
  })
  return latency('/api/watching of 50 things, uncached', times, 50)
}

const LOOKUPS_LIMIT_MS = 120_000

/** Look-ups are imported after the ratings. */
async function measureLookups(url: string, symbols: string[]): Promise<Figure> {
  await waitFor(async () => {
    const dumps = JSON.parse(new TextDecoder().decode(await get(`${url}/api/dumps`)))
    return dumps.data.lookups.imported.state === 'imported'
  }, LOOKUPS_LIMIT_MS)
  const facets = await sample(
    symbols,
    (_symbol, i) => `${url}/api/lookups/facets?from=${FIRST_LOOKUP + i}`,
  )
  return latency('/api/lookups/facets of nearly all, uncached', facets, 60)
}

/** 2014-02-01, a month after the community began. */
const FIRST_LOOKUP = 1_391_212_800

async function loadSymbols(url: string): Promise<string[]> {
  const text = new TextDecoder().decode(await get(`${url}/api/symbols?per_page=${ROUNDS}`))
  const { data } = JSON.parse(text) as { data: { symbol: string }[] }
  return data.map(({ symbol }) => symbol)
}

async function sample(symbols: string[], toUrl: (symbol: string, i: number) => string) {
  const times: number[] = []
  for (const [i, symbol] of symbols.entries()) times.push(await timeMs(() => get(toUrl(symbol, i))))
  return times
}

const latency = (what: string, times: number[], aimMs: number | null): Figure => ({
  what,
  got: `${median(times).toFixed(1)} ms (p90 ${quantile(times, 0.9).toFixed(1)}, n=${times.length})`,
  aim: aimMs === null ? '–' : `< ${aimMs} ms`,
  met: aimMs === null ? null : median(times) < aimMs,
  floor: '–',
})

async function measureKept(url: string, path: string): Promise<Figure[]> {
  const dir = mkdtempSync(join(tmpdir(), 'bellwether-floor-'))
  const file = join(dir, 'answer.json')
  writeFileSync(file, await get(url + path))
  const floor = await startFramework(file)
  try {
    const ratios: number[] = []
    const rates: number[] = []
    const floors: number[] = []
    for (let pair = 0; pair < LOAD_PAIRS; pair += 1) {
      const ours = await requestsASecond(url + path)
      const bare = await requestsASecond(`${floor.url}/bytes`)
      rates.push(ours)
      floors.push(bare)
      ratios.push(ours / bare)
    }
    const kib = await firstLoadKib(url, '/')
    const floorKib = await firstLoadKib(floor.url, '/')
    return [
      {
        what: 'a kept answer of /api/ratings, 32 connections',
        got: `${median(rates).toFixed(0)} requests/s, ${(median(ratios) * 100).toFixed(0)} % of the floor`,
        aim: '≥ 70 %',
        met: median(ratios) >= 0.7,
        floor: `${median(floors).toFixed(0)} requests/s: a bare route handler, the same bytes`,
      },
      {
        what: 'first-load JavaScript of /, gzip',
        got: `${kib.toFixed(0)} KiB`,
        aim: '≤ 290 KiB',
        met: kib <= 290,
        floor: `${floorKib.toFixed(0)} KiB: an empty page`,
      },
    ]
  } finally {
    await floor.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

async function requestsASecond(url: string): Promise<number> {
  await autocannon({ url, connections: 32, duration: 1 })
  const { requests, non2xx, errors } = await autocannon({
    url,
    connections: 32,
    duration: LOAD_SECONDS,
  })
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} answers of ${url} were no success`)
  return requests.average
}
