import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get as httpGet, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import type { RunningApp } from '../e2e/support/app.ts'
import { findNginx, startNginx } from '../e2e/support/nginx.ts'
import { type Asked, type ByHand, openByHand } from './by-hand.ts'
import { type Figure, get, median, quantile, residentMb, timeMs } from './measure.ts'

const PAIRS = 3
const LOAD_SECONDS = 5
const CROWD = 64
const READERS = 16
const MIX_SECONDS = 20
const ALONE = 25
const STREAMS = 200
const DOWNLOADS = 20

export async function measureCrowd(app: RunningApp): Promise<Figure[]> {
  const asked = await createQuestions(app.url)
  const alone = [
    await measureAlone(app.url, {
      what: 'a page of a symbol’s ratings as HTML, uncached, alone',
      question: asked.ofSymbol,
      aimMs: 25,
    }),
    ...(await measureFacets(app, asked, { symbol: 12, from: 25 })),
  ]
  const kept = [...(await measureKept(app.url)), ...(await measureBehindNginx(app.url))]
  const mix = await measureMix(app, asked, { aim: 60, p95: 500, what: '' })
  const streams = await Promise.all(
    Array.from({ length: STREAMS }, (_, n) => openStream(app.url, n)),
  )
  const stopDownloads = keepDownloading(app.url)
  const what = `, beside ${STREAMS} event streams and ${DOWNLOADS} downloads`
  const busy = await measureMix(app, asked, { aim: 50, p95: 700, what })
  await stopDownloads()
  for (const close of streams) close()
  const { now, peak } = residentMb(app.pid)
  const memory: Figure = {
    what: 'resident memory after the crowd (highest)',
    got: `${now.toFixed(0)} MB (${peak.toFixed(0)} MB)`,
    aim: '≤ 700 MB',
    met: now <= 700,
    floor: '–',
  }
  return [...alone, ...kept, mix, busy, memory]
}

export async function measureFacets(
  { url, dataDir }: RunningApp,
  asked: Questions,
  aims: { symbol: number; from: number },
): Promise<Figure[]> {
  const byHand = await openByHand(dataDir)
  try {
    const kinds = [
      {
        what: 'facets of a symbol, uncached, alone',
        question: asked.facetsOfSymbol,
        aimMs: aims.symbol,
      },
      { what: 'facets from a date, uncached, alone', question: asked.facetsFrom, aimMs: aims.from },
    ]
    const figures: Figure[] = []
    for (const kind of kinds) {
      const questions = Array.from({ length: ALONE }, () => toAsked(kind.question()))
      figures.push(await measureAlone(url, { ...kind, floor: await toFloor(byHand, questions) }))
    }
    return figures
  } finally {
    byHand.close()
  }
}

const toFloor = async (byHand: ByHand, questions: readonly Asked[]) =>
  `${(await byHand.facets(questions)).toFixed(1)} ms: its questions put to DuckDB by hand`

function toAsked(path: string): Asked {
  const { searchParams } = new URL(path, 'http://bench')
  const [symbol, from] = [searchParams.get('symbol'), searchParams.get('from')]
  const since = from ? `created_at >= ${Date.parse(from) / 1000}` : 'true'
  return { where: symbol ? `symbol_key = '${symbol}'` : since, butSymbol: since }
}

export type Questions = Record<'ofSymbol' | 'facetsOfSymbol' | 'facetsFrom' | 'any', () => string>

export async function createQuestions(url: string): Promise<Questions> {
  const text = new TextDecoder().decode(await get(`${url}/api/symbols?per_page=500`))
  const symbols = (JSON.parse(text) as { data: { symbol: string }[] }).data.map(
    ({ symbol }) => symbol,
  )
  let count = 0
  const next = () => {
    count += 1
    return { n: count, symbol: symbols[count % symbols.length] ?? 'AAPL' }
  }
  // The demo's newest ratings are of today: recent dates would select almost everything.
  const day = (n: number) =>
    new Date(Date.now() - (400 + n) * 86_400_000).toISOString().slice(0, 10)
  const filtered = () => {
    const { n, symbol } = next()
    return `/?symbol=${symbol}&prediction_min=-${n}.25`
  }
  const facets = () => {
    const { n, symbol } = next()
    return `/api/facets?symbol=${symbol}&prediction_min=-${n}.25`
  }
  const kinds = [
    filtered,
    facets,
    () => `/api/ratings?symbol=${next().symbol}&prediction_max=${count}.25`,
    () => `/symbols/${next().symbol}?asof=${day(count % 300)}`,
    () => `/api/symbols/${next().symbol}/series?from=${day(count)}`,
    () => `/?page=${2 + (next().n % 5000)}`,
  ]
  let turn = 0
  return {
    ofSymbol: () => `/?symbol=${next().symbol}`,
    facetsOfSymbol: () => `/api/facets?symbol=${next().symbol}`,
    facetsFrom: () => `/api/facets?from=${day(next().n % 1500)}`,
    any: () => {
      turn += 1
      return (kinds[turn % kinds.length] ?? filtered)()
    },
  }
}

type Alone = { what: string; question: () => string; aimMs: number | null; floor?: string }

export async function measureAlone(
  url: string,
  { what, question, aimMs, floor = '–' }: Alone,
): Promise<Figure> {
  const times: number[] = []
  await get(url + question())
  for (let n = 0; n < ALONE; n += 1) times.push(await timeMs(() => get(url + question())))
  const got = `${median(times).toFixed(1)} ms (p90 ${quantile(times, 0.9).toFixed(1)}, n=${ALONE})`
  const aim = aimMs === null ? '–' : `≤ ${aimMs} ms`
  return { what, got, aim, met: aimMs === null ? null : median(times) <= aimMs, floor }
}

const GZIP = { 'accept-encoding': 'gzip' }

async function load(url: string) {
  const options = { url, connections: CROWD, headers: GZIP }
  await autocannon({ ...options, duration: 1 })
  const { requests, latency, non2xx, errors } = await autocannon({
    ...options,
    duration: LOAD_SECONDS,
  })
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} answers of ${url} were no success`)
  return { rate: requests.average, p95Ms: latency.p97_5 }
}

async function compare(ours: string, floor: string) {
  const pairs: { ours: { rate: number; p95Ms: number }; floor: number }[] = []
  for (let pair = 0; pair < PAIRS; pair += 1) {
    pairs.push({ ours: await load(ours), floor: (await load(floor)).rate })
  }
  return {
    rate: median(pairs.map((pair) => pair.ours.rate)),
    p95Ms: median(pairs.map((pair) => pair.ours.p95Ms)),
    floor: median(pairs.map((pair) => pair.floor)),
    ratio: median(pairs.map((pair) => pair.ours.rate / pair.floor)),
  }
}

const loadCompressed = (url: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    httpGet(url, { headers: GZIP }, (response) => resolve(buffer(response))).on('error', reject)
  })

async function measureKept(url: string): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-crowd-'))
  const figures: Figure[] = []
  try {
    for (const path of ['/', '/symbols/AAPL']) {
      const file = join(folder, 'page.gz')
      writeFileSync(file, await loadCompressed(url + path))
      const script = fileURLToPath(new URL('floor-bytes.mjs', import.meta.url))
      const child = spawn(process.execPath, [script, file], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const port = await new Promise<string>((resolve) =>
        createInterface({ input: child.stdout }).once('line', resolve),
      )
      const { rate, p95Ms, floor, ratio } = await compare(url + path, `http://127.0.0.1:${port}/`)
      child.kill('SIGTERM')
      figures.push({
        what: `a kept page over HTTP, ${CROWD} readers: ${path}`,
        got: `${rate.toFixed(0)}/s, ${(ratio * 100).toFixed(0)} % of the floor, p97.5 ${p95Ms} ms`,
        aim: '≥ 1,000/s, ≥ 60 %, ≤ 100 ms',
        met: rate >= 1000 && ratio >= 0.6 && p95Ms <= 100,
        floor: `${floor.toFixed(0)}/s: bare node:http, the same bytes`,
      })
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return figures
}

async function measureBehindNginx(url: string): Promise<Figure[]> {
  const program = findNginx()
  if (program === null) return []
  const nginx = await startNginx({
    program,
    target: url,
    fixed: await loadCompressed(`${url}/`),
  })
  try {
    const { rate, floor, ratio, p95Ms } = await compare(`${nginx.url}/`, `${nginx.url}/fixed.html`)
    return [
      {
        what: `the same through nginx that keeps pages, ${CROWD} readers: /`,
        got: `${rate.toFixed(0)}/s, ${(ratio * 100).toFixed(0)} % of the floor, p97.5 ${p95Ms} ms`,
        aim: '≥ 90 %',
        met: ratio >= 0.9,
        floor: `${floor.toFixed(0)}/s: nginx with a static file, the same bytes`,
      },
    ]
  } finally {
    await nginx.stop()
  }
}

type MixAim = { aim: number; p95: number; what: string }

export async function measureMix(app: RunningApp, asked: Questions, { aim, p95, what }: MixAim) {
  const agent = new Agent({ keepAlive: true, maxSockets: READERS })
  const times: number[] = []
  let busy = 0
  await readLoopDelayMs(app.url)
  const end = performance.now() + MIX_SECONDS * 1000
  const read = async () => {
    while (performance.now() < end) {
      const path = asked.any()
      const begun = performance.now()
      const status = await ask(app.url + path, agent)
      if (status === 503) busy += 1
      else if (status !== 200) throw new Error(`${status} from ${path}`)
      else times.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: READERS }, read))
  agent.destroy()
  const delayMs = await readLoopDelayMs(app.url)
  const rate = times.length / MIX_SECONDS
  const [slow, longest] = [quantile(times, 0.95), Math.max(...times)]
  const said = [
    `${rate.toFixed(0)}/s`,
    `p95 ${slow.toFixed(0)} ms`,
    `longest ${longest.toFixed(0)} ms`,
    `loop p99 ${delayMs.toFixed(0)} ms`,
  ]
  if (busy > 0) said.push(`${busy} told to come again`)
  return {
    what: `${READERS} readers, mixed, all uncached${what}`,
    got: said.join(', '),
    aim: `≥ ${aim}/s, p95 ≤ ${p95} ms, none over 1.5 s`,
    met: rate >= aim && slow <= p95 && longest <= 1500,
    floor: '–',
  }
}

/** 99th percentile since the previous scrape; 10 ms when idle. */
async function readLoopDelayMs(url: string): Promise<number> {
  const text = new TextDecoder().decode(await get(`${url}/api/metrics`))
  return Number(/^nodejs_eventloop_lag_p99_seconds(?:\{[^}]*\})? (\S+)$/m.exec(text)?.[1]) * 1000
}

const ask = (url: string, agent: Agent): Promise<number> =>
  new Promise((resolve, reject) => {
    httpRequest(url, { agent, headers: GZIP }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
      response.on('error', reject)
    })
      .on('error', reject)
      .end()
  })

/** Streams are limited per client address. */
const openStream = (url: string, n: number): Promise<() => void> =>
  new Promise((resolve, reject) => {
    const headers = { 'x-forwarded-for': `192.0.2.${n}` }
    const asked = httpGet(`${url}/api/events`, { headers }, (response) => {
      response.resume().on('error', () => {})
      resolve(() => asked.destroy())
    })
    asked.on('error', reject)
  })

function keepDownloading(url: string): () => Promise<void> {
  let isOver = false
  const agent = new Agent({ keepAlive: true })
  const all = Array.from({ length: DOWNLOADS }, async () => {
    while (!isOver) await ask(`${url}/api/v1/posts/dumps`, agent)
  })
  return async () => {
    isOver = true
    await Promise.all(all)
    agent.destroy()
  }
}
