import { Agent, get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeRating, makeRatings } from '#testing/make-ratings.ts'
import { residentMb, waitFor } from '../bench/measure.ts'
import { startApp } from '../e2e/support/app.ts'
import { ensureBuild } from '../scripts/setup.mjs'
import { openSource } from './source.ts'

export type CrowdOptions = {
  minutes: number
  ratings: number
  readers: number
  /** From 0 to 1, as Math.random. */
  random: () => number
  onMinute: (line: string) => void
}

export type CrowdResult = {
  answers: number
  /** Pages whose rows were held against the archive's own answer of the same generation. */
  compared: number
  left: number
  told503: number
  problems: string[]
  /** Resident memory in MB, each minute. */
  memory: number[]
}

const POST_EVERY_MS = 3000
const FILLED_WITHIN_MS = 300_000
const KEY = 'key-of-the-crowd'
const PROBLEMS_TOLD = 20

/**
 * Readers of pages and answers, while ratings come and readers leave in the middle. Whatever a page shows is held against
 * what the archive says of the same generation, and no page is older than one that somebody has seen before.
 */
export async function runCrowd(options: CrowdOptions): Promise<CrowdResult> {
  const { minutes, ratings, random, onMinute } = options
  const source = await openSource(makeRatings(1, ratings))
  source.makeEdition(Date.now() / 1000)
  await ensureBuild()
  const app = await startApp({
    env: { RATINGS_BASE_URL: source.baseUrl, RATINGS_API_KEY: KEY, RATINGS_PER_MINUTE: '1000' },
  })
  const world = createWorld(app.url)
  const result: CrowdResult = {
    ...{ answers: 0, compared: 0, left: 0, told503: 0, problems: [], memory: [] },
  }
  const note = (problem: string) => {
    if (result.problems.length < PROBLEMS_TOLD) result.problems.push(problem)
  }
  let isOver = false
  try {
    await waitFor(async () => (await countRatings(app.url)) >= ratings, FILLED_WITHIN_MS)
    const reading = Array.from({ length: options.readers }, async () => {
      while (!isOver) await world.readOne(random, result, note)
    })
    const posting = (async () => {
      for (let id = ratings + 1; !isOver; id += 1) {
        source.put(makeRating(id, { symbol: id % 2 === 0 ? 'AAPL' : 'TSLA' }))
        await askToSync(app.url)
        await sleep(POST_EVERY_MS)
      }
    })()
    for (let minute = 1; minute <= minutes; minute += 1) {
      await sleep(60_000)
      const { now } = residentMb(app.pid)
      result.memory.push(now)
      onMinute(`${minute} min: ${result.answers} answers, ${now.toFixed(0)} MB`)
    }
    isOver = true
    await Promise.all([...reading, posting])
  } finally {
    isOver = true
    world.close()
    await app.stop()
    await source.close()
  }
  return result
}

/** Where the memory of a process that is well stands: no higher in the last third than in the second. */
export function isFlat(memory: readonly number[]): boolean {
  const third = Math.floor(memory.length / 3)
  if (third === 0) return true
  const mean = (part: readonly number[]) => part.reduce((sum, mb) => sum + mb, 0) / part.length
  return mean(memory.slice(-third)) <= 1.1 * mean(memory.slice(third, 2 * third))
}

async function countRatings(url: string): Promise<number> {
  const response = await fetch(`${url}/api/status`)
  const { data } = (await response.json()) as { data: { archive: { ratings: number } } }
  return data.archive.ratings
}

const askToSync = (url: string) =>
  fetch(`${url}/api/sync`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, 'sec-fetch-site': 'same-origin' },
    body: '{}',
  })

/** What is read, and how it is held against the archive. */
function createWorld(url: string) {
  const agent = new Agent({ keepAlive: true })
  /** The ids of the first page by generation, as the API gave them. */
  const known = new Map<number, string>()
  let newest = 0
  let count = 0

  const ask = (path: string, leaveAfterMs: number | null): Promise<Asked | null> =>
    new Promise((resolve, reject) => {
      const asked = get(url + path, { agent }, (response: IncomingMessage) => {
        text(response).then(
          (body) => resolve({ status: response.statusCode ?? 0, body }),
          () => resolve(null),
        )
      })
      asked.on('error', (error) => (leaveAfterMs === null ? reject(error) : resolve(null)))
      if (leaveAfterMs !== null) setTimeout(() => asked.destroy(), leaveAfterMs)
    })
  const hold = (ids: string, generation: number) => {
    const before = known.get(generation)
    known.set(generation, before ?? ids)
    return before === undefined || before === ids
  }
  const paths = (random: () => number) => {
    count += 1
    const fresh = `prediction_min=-${count}.5`
    const all = ['/', '/', '/', '/symbols', '/symbols/AAPL', '/users', '/downloads']
    const uncached = [
      `/?${fresh}`,
      `/api/facets?symbol=AAPL&${fresh}`,
      `/?page=${1 + (count % 200)}`,
    ]
    const list = random() < 0.8 ? all : uncached
    return list[Math.floor(random() * list.length)] ?? '/'
  }
  return {
    close: () => agent.destroy(),
    async readOne(random: () => number, result: CrowdResult, note: (problem: string) => void) {
      const leaves = random() < 0.05
      const path = random() < 0.1 ? '/api/ratings' : paths(random)
      const atLeast = newest
      const asked = await ask(path, leaves ? 30 * random() : null)
      if (asked === null) {
        result.left += 1
        return
      }
      const { status, body } = asked
      result.answers += 1
      if (status === 503) result.told503 += 1
      else if (status !== 200) note(`${status} from ${path}`)
      const seen = status === 200 ? readFirstPage(path, body) : null
      if (seen === null) return
      result.compared += 1
      if (seen.generation < atLeast) note(`${path}: ${seen.generation} after ${atLeast}`)
      newest = Math.max(newest, seen.generation)
      if (!hold(seen.ids, seen.generation)) note(`${path}: other rows at ${seen.generation}`)
    },
  }
}

type Asked = { status: number; body: string }

/** The rows of the newest ratings and the generation that they are of, as a page or the API has them. */
function readFirstPage(path: string, body: string): { ids: string; generation: number } | null {
  if (path === '/api/ratings') {
    const { data, meta } = JSON.parse(body) as {
      data: { id: number }[]
      meta: { generation: number }
    }
    return { ids: data.map(({ id }) => id).join(), generation: meta.generation }
  }
  if (path !== '/') return null
  const ids = [...body.matchAll(/<tr[^>]* data-rating="(\d+)"/g)].map(([, id]) => id).join()
  // The page's own rows come with the generation that they are of.
  const generation = /\\"complete_to\\":\d+,\\"generation\\":(\d+),\\"all\\"/.exec(body)?.[1]
  return generation === undefined ? null : { ids, generation: Number(generation) }
}
