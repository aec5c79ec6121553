import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { editionName, nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { residentMb, waitFor } from '../bench/measure.ts'
import { startApp } from '../e2e/support/app.ts'
import { ensureBuild } from '../scripts/setup.mjs'
import { loadCommunity, openSource, passWeek, postRatings } from './source.ts'

export type CrowdOptions = {
  minutes: number
  ratings: number
  readers: number
  random: () => number
  onMinute: (line: string) => void
}

export type CrowdResult = {
  answers: number
  compared: number
  left: number
  killed: number
  told503: number
  /** Null if none was imported. */
  edition: string | null
  problems: string[]
  /** Resident memory in MB, one value a minute. */
  memory: number[]
}

const POST_EVERY_MS = 3000
const START_SECONDS = 90
const BEFORE_SECONDS = 10
const EDITION_WITHIN_MINUTES = 25
const FILLED_WITHIN_MS = 300_000
const KEY = 'key-of-the-crowd'
const PROBLEMS_TOLD = 20

export async function runCrowd(options: CrowdOptions): Promise<CrowdResult> {
  const { minutes, ratings, random, onMinute } = options
  await ensureBuild()
  const seconds = () => Math.floor(Date.now() / 1000)
  const editionComes = nextEditionAt(seconds())
  const ahead = editionComes - seconds() - START_SECONDS
  const at = () => seconds() + ahead
  const dir = mkdtempSync(join(tmpdir(), 'bellwether-crowd-'))
  const source = await openSource(await loadCommunity(dir, ratings, at()), at)
  source.makeEdition(at())
  const app = await startApp({
    env: {
      RATINGS_BASE_URL: source.baseUrl,
      RATINGS_API_KEY: KEY,
      RATINGS_PER_MINUTE: '1000',
      CLOCK_AHEAD_SECONDS: String(ahead),
      NODE_OPTIONS: `--import ${new URL('../testing/shift-clock.mjs', import.meta.url).href}`,
    },
  })
  const world = createWorld(app.url)
  const result: CrowdResult = {
    answers: 0,
    compared: 0,
    left: 0,
    killed: 0,
    told503: 0,
    edition: null,
    problems: [],
    memory: [],
  }
  const note = (problem: string) => {
    if (result.problems.length < PROBLEMS_TOLD) result.problems.push(problem)
  }
  let isOver = false
  try {
    const listed = source.ratings.size
    await waitFor(async () => (await countRatings(app.url)) >= listed, FILLED_WITHIN_MS)
    const reading = Array.from({ length: options.readers }, async () => {
      while (!isOver) await world.readOne(random, result, note)
    })
    const posting = (async () => {
      let isMade = false
      while (!isOver) {
        postRatings(source, { count: 1, at: at(), random })
        if (!isMade && at() > editionComes - BEFORE_SECONDS) {
          passWeek(source, { at: at(), random, listed: new Map(source.ratings) })
          source.makeEdition(editionComes)
          isMade = true
        }
        await askToSync(app.url)
        await sleep(POST_EVERY_MS)
      }
    })()
    const kills = new Set([1, 2, 3].map((part) => Math.ceil((part * minutes) / 4)))
    for (let minute = 1; minute <= minutes; minute += 1) {
      await sleep(60_000)
      if (kills.has(minute)) result.killed += world.kill()
      const { now } = residentMb(app.pid)
      result.memory.push(now)
      onMinute(`${minute} min: ${result.answers} answers, ${now.toFixed(0)} MB`)
    }
    isOver = true
    await Promise.all([...reading, posting])
    result.edition = await readEdition(app.url)
    const isDue = minutes >= EDITION_WITHIN_MINUTES
    if (isDue && result.edition !== editionName(editionComes)) note('no edition was brought in')
  } finally {
    isOver = true
    world.close()
    await app.stop()
    await source.close()
    rmSync(dir, { recursive: true, force: true })
  }
  return result
}

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

async function readEdition(url: string): Promise<string | null> {
  const { data } = (await (await fetch(`${url}/api/status`)).json()) as { data: StatusData }
  const isBroughtIn = data.runs.some(
    ({ move, outcome, rows }) => move === 'reconcile' && outcome === 'done' && rows !== null,
  )
  return isBroughtIn ? (data.editions.posts?.edition ?? null) : null
}

type StatusData = {
  runs: { move: string; outcome: string; rows: object | null }[]
  editions: { posts: { edition: string } | null }
}

const askToSync = (url: string) =>
  fetch(`${url}/api/sync`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, 'sec-fetch-site': 'same-origin' },
    body: '{}',
  })

function createWorld(url: string) {
  let agent = new Agent({ keepAlive: true })
  let open = 0
  /** Generation → ids, from the API. */
  const known = new Map<number, string>()
  let newest = 0
  let count = 0

  const ask = (path: string, leaveAfterMs: number | null): Promise<Asked | null> =>
    new Promise<Asked | null>((resolve, reject) => {
      const own = agent
      open += 1
      const asked = get(url + path, { agent }, (response: IncomingMessage) => {
        text(response).then(
          (body) => resolve({ status: response.statusCode ?? 0, body }),
          () => resolve(null),
        )
      })
      const mayFail = () => leaveAfterMs !== null || own !== agent
      asked.on('error', (error) => (mayFail() ? resolve(null) : reject(error)))
      if (leaveAfterMs !== null) setTimeout(() => asked.destroy(), leaveAfterMs)
    }).finally(() => {
      open -= 1
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
    kill() {
      const own = agent
      agent = new Agent({ keepAlive: true })
      own.destroy()
      return open
    },
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
  const generation = /\\"complete_to\\":\d+,\\"generation\\":(\d+),\\"all\\"/.exec(body)?.[1]
  return generation === undefined ? null : { ids, generation: Number(generation) }
}
