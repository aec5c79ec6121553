import { get as request } from 'node:http'
import type { Page } from '@playwright/test'
import { type Figure, get, median, quantile, sampleMs } from './measure.ts'
import { openBrowser } from './screen.ts'

const ROUNDS = 40
const LOADS = 12
const DRAGS = 5
const DAY = 86_400
const WEEK = 7 * DAY
const POINTS = 400

const MARKS = ['consensus', 'band', 'bars'].map((name) => `[data-pane] path[data-mark="${name}"]`)

export async function measureOpinion(url: string): Promise<Figure[]> {
  const busiest = await selectBusiest(url)
  const { first, now } = await loadSpan(url, busiest)
  const sample = (toPath: (round: number) => string) => sampleMs(url, toPath, ROUNDS)
  const back = (round: number) => now - round * 3600
  const anywhere = (round: number) => first + Math.floor(((round * 0.618_034) % 1) * (now - first))
  const series = `/api/symbols/${busiest}/series`
  const whole = await sample((round) => `${series}?asof=${back(round)}`)
  const widest = await sample(
    (round) => `${series}?bucket=week&from=${now - (POINTS - 1) * WEEK}&asof=${back(round)}`,
  )
  const league = await sample((round) => `/api/symbols?asof=${back(round)}`)
  const users = await sample((round) => `/api/users?asof=${back(round)}`)
  const all = await sample((round) => `/api/symbols?per_page=500&asof=${anywhere(round)}`)
  const compared = await sample(
    (round) => `/api/compare?symbol=AAPL,MSFT,NVDA,TSLA,AMZN,GOOGL&asof=${back(round)}`,
  )
  const bytes = await countBytes(`${url}${series}?bucket=week&from=${now - (POINTS - 1) * WEEK}`)
  return [
    latency(`the series of ${busiest}, the busiest symbol, uncached`, whole, 60),
    latency('the same by weeks, 400 points', widest, 60),
    latency('the league table of symbols as of an instant, uncached', league, 120),
    latency('the league table of users, the same', users, 120),
    latency('consensus of all symbols at any instant, uncached', all, 150),
    latency('six symbols compared, uncached', compared, null),
    {
      what: 'a series of 400 points on the wire, gzip',
      got: `${(bytes / 1024).toFixed(1)} KiB`,
      aim: '–',
      met: null,
      floor: '–',
    },
    ...(await measureInBrowser(url, { busiest, first, now })),
  ]
}

/** Times in ms. */
export const latency = (what: string, times: number[], aimMs: number | null): Figure => ({
  what: `${what}, 1,000,000 ratings`,
  got: `${median(times).toFixed(0)} ms (p90 ${quantile(times, 0.9).toFixed(0)}, n=${times.length})`,
  aim: aimMs === null ? '–' : `≤ ${aimMs} ms`,
  met: aimMs === null ? null : median(times) <= aimMs,
  floor: '–',
})

const loadJson = async (url: string) => JSON.parse(new TextDecoder().decode(await get(url)))

export async function selectBusiest(url: string): Promise<string> {
  const { data } = (await loadJson(`${url}/api/symbols?per_page=500`)) as {
    data: { symbol: string; ratings: number }[]
  }
  const [most] = data.toSorted((a, b) => b.ratings - a.ratings)
  if (!most) throw new Error('the archive holds no symbol')
  return most.symbol
}

/** Seconds since 1970. */
export async function loadSpan(url: string, symbol: string) {
  const { meta } = (await loadJson(`${url}/api/symbols/${symbol}`)) as {
    meta: { first_created_at: number; as_of: number }
  }
  return { first: meta.first_created_at, now: meta.as_of }
}

/** Compressed size; fetch would count decoded bytes. */
async function countBytes(url: string): Promise<number> {
  return await new Promise((resolve, reject) => {
    request(url, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.byteLength
      })
      response.on('end', () => resolve(bytes))
    }).on('error', reject)
  })
}

type Known = { busiest: string; first: number; now: number }

async function measureInBrowser(url: string, { busiest, now }: Known): Promise<Figure[]> {
  const browser = await openBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    // esbuild wraps functions in `__name`, which the page lacks.
    await page.addInitScript('globalThis.__name = (made) => made')
    await page.addInitScript(watchChart, MARKS)
    const painted: number[] = []
    const answered: number[] = []
    for (let round = 0; round < LOADS; round += 1) {
      await page.goto(`${url}/symbols/${busiest}?asof=${now - round * 3600}`, {
        waitUntil: 'commit',
      })
      const times = await page.evaluate(() => window.chartTimes)
      await page.waitForLoadState('networkidle')
      if (round === 0) continue
      painted.push(times.painted)
      answered.push(times.answered)
    }
    await page.goto(`${url}/symbols/${busiest}?bucket=week&from=${now - (POINTS - 1) * WEEK}`)
    await page.getByRole('application').first().waitFor()
    await page.waitForLoadState('networkidle')
    const rates = await dragAcross(page)
    return [
      latency(`chart painted after navigation to /symbols/${busiest}, in Chromium`, painted, 300),
      latency('the same chart answers the pointer, in Chromium', answered, null),
      {
        what: 'dragging a range over a chart of 400 points, in Chromium',
        got: `${median(rates).toFixed(0)} frames/s (lowest ${Math.min(...rates).toFixed(0)}, n=${rates.length})`,
        aim: '≥ 50 frames/s',
        met: median(rates) >= 50,
        floor: '–',
      },
    ]
  } finally {
    await browser.close()
  }
}

async function dragAcross(page: Page): Promise<number[]> {
  const box = await page.getByRole('application').first().boundingBox()
  if (!box) throw new Error('there is no chart to drag over')
  const rates: number[] = []
  const y = box.y + box.height / 3
  for (let drag = 0; drag < DRAGS; drag += 1) {
    await page.mouse.move(box.x + box.width * 0.15, y)
    await page.mouse.down()
    await page.evaluate(startCounting)
    for (let step = 0; step < 150; step += 1) {
      const share = 0.15 + 0.8 * Math.abs(Math.sin(step / 30))
      await page.mouse.move(box.x + box.width * share, y + (step % 7))
    }
    rates.push(await page.evaluate(() => window.framesASecond()))
    await page.keyboard.press('Escape')
    await page.mouse.up()
  }
  return rates
}

declare global {
  interface Window {
    framesASecond: () => number
    chartTimes: Promise<{ painted: number; answered: number }>
  }
}

/**
 * Runs in the page. Milliseconds from navigation until all marks are painted, and until the
 * crosshair follows a pointer.
 */
function watchChart(marks: readonly string[]): void {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const until = async (isDone: () => boolean) => {
    const limit = performance.now() + 20_000
    while (!isDone()) {
      if (performance.now() > limit) throw new Error('the chart did not come')
      await frame()
    }
    const found = performance.now()
    await frame()
    return { found, shown: performance.now() }
  }
  const firstPaint = () => performance.getEntriesByName('first-contentful-paint')[0]
  const stands = (mark: string) => Boolean(document.querySelector(mark)?.getAttribute('d'))
  const follows = () => {
    const overlay = document.querySelector('[role="application"]')
    if (!overlay) return false
    const { left, top, width, height } = overlay.getBoundingClientRect()
    const place = { clientX: left + width * 0.6, clientY: top + height / 4 }
    overlay.dispatchEvent(new PointerEvent('pointermove', { ...place, bubbles: true }))
    return overlay.querySelector('dd') !== null
  }
  const toPainted = async () => {
    const { found, shown } = await until(() => marks.every(stands))
    await until(() => firstPaint() !== undefined)
    const first = firstPaint()?.startTime ?? 0
    return found <= first ? first : shown
  }
  window.chartTimes = Promise.all([toPainted(), until(follows)]).then(([painted, { shown }]) => ({
    painted,
    answered: shown,
  }))
  window.chartTimes.catch(() => {})
}

function startCounting(): void {
  let frames = 0
  let isCounting = true
  const began = performance.now()
  const count = () => {
    frames += 1
    if (isCounting) requestAnimationFrame(count)
  }
  requestAnimationFrame(count)
  window.framesASecond = () => {
    isCounting = false
    return (frames * 1000) / (performance.now() - began)
  }
}
