import type { RunningApp } from '../e2e/support/app.ts'
import { measureBootstrap, measureDumpImport } from './bootstrap.ts'
import { createQuestions, measureAlone, measureFacets, measureMix } from './crowd.ts'
import { type Figure, get, residentMb } from './measure.ts'
import { receive } from './transfers.ts'

const RATINGS = 10_000_000
const MEMORY_MB = 1200

export async function measureTenMillion(): Promise<Figure[]> {
  const aims = { aimSeconds: 120, aimMb: MEMORY_MB }
  const { app, figures, dump } = await measureBootstrap(RATINGS, aims)
  try {
    const asked = await createQuestions(app.url)
    const facets = await measureFacets(app, asked, { symbol: 150, from: 150 })
    const alone = await measureQuestions(app)
    const mix = await measureMix(app, asked, { aim: 20, p95: 2000, what: ', ten million' })
    const exported = await measureExport(app)
    const { now, peak } = residentMb(app.pid)
    const memory: Figure = {
      what: 'resident memory after that (highest)',
      got: `${now.toFixed(0)} MB (${peak.toFixed(0)} MB)`,
      aim: `≤ ${MEMORY_MB} MB`,
      met: peak <= MEMORY_MB,
      floor: '–',
    }
    const imported = await measureDumpImport(dump, { times: 1, aimMb: MEMORY_MB })
    return [...figures, ...imported, ...facets, ...alone, mix, ...exported, memory]
  } finally {
    await app.stop()
  }
}

async function measureQuestions({ url }: RunningApp): Promise<Figure[]> {
  const text = new TextDecoder().decode(await get(`${url}/api/symbols?per_page=500`))
  const { data } = JSON.parse(text) as { data: { symbol: string }[] }
  let count = 0
  const next = () => {
    count += 1
    return data[count % data.length]?.symbol ?? 'AAPL'
  }
  const day = () => new Date(Date.now() - (400 + count) * 86_400_000).toISOString().slice(0, 10)
  const busiest = data[0]?.symbol ?? 'AAPL'
  const kinds = [
    { what: 'page by symbol', question: () => `/api/ratings?symbol=${next()}`, aimMs: 25 },
    {
      what: 'the last page of all',
      question: () => `/api/ratings?per_page=${20 + ((next().length + count) % 80)}&page=100000`,
      aimMs: null,
    },
    {
      what: 'series of the busiest symbol',
      question: () => `/api/symbols/${busiest}/series?from=${next() && day()}`,
      aimMs: 150,
    },
    {
      what: 'league of symbols as of a day',
      question: () => `/api/symbols?asof=${next() && day()}`,
      aimMs: 150,
    },
    {
      what: 'league of users as of a day',
      question: () => `/api/users?asof=${next() && day()}`,
      aimMs: 150,
    },
    { what: 'a symbol as HTML', question: () => `/symbols/${next()}`, aimMs: 120 },
    { what: 'a filtered page as HTML', question: () => `/?symbol=${next()}`, aimMs: null },
    {
      what: 'a symbol as of a day as HTML',
      question: () => `/symbols/${next()}?asof=${day()}`,
      aimMs: null,
    },
  ]
  const figures: Figure[] = []
  for (const { what, ...kind } of kinds) {
    figures.push(await measureAlone(url, { ...kind, what: `${what}, ten million, uncached` }))
  }
  return figures
}

async function measureExport({ url }: RunningApp): Promise<Figure[]> {
  const csv = await receive(`${url}/api/ratings.csv`)
  const parquet = await receive(`${url}/api/ratings.parquet`)
  const rate = Math.round(csv.rows / csv.ms).toLocaleString('en-US')
  const none = { aim: '–', met: null, floor: '–' }
  return [
    { what: 'ten million as CSV', got: `${rate},000 rows/s`, ...none },
    { what: 'the same as Parquet', got: `${(parquet.ms / 1000).toFixed(1)} s`, ...none },
  ]
}
