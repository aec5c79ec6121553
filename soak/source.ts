import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { toDateText } from '#lib/contract/instant-text.ts'
import { parseCsvRating, type Rating } from '#lib/contract/rating.ts'
import { editionAt } from '#lib/contract/weekly-clock.ts'
import { createCsvReader } from '#lib/csv/csv-reader.ts'
import { createService } from '#lib/service/service.ts'
import { listenOnLoopback } from '#testing/loopback.ts'
import { toCsv } from '#testing/make-ratings.ts'

const PAGE_ROWS = 1000

export type Source = {
  baseUrl: string
  ratings: ReadonlyMap<number, Rating>
  put(rating: Rating): void
  drop(id: number): void
  hasDumps: boolean
  requests(key: string): number
  busiestMinute(key: string): number
  makeEdition(at: number): void
  close(): Promise<void>
}

export async function openSource(
  initial: readonly Rating[],
  now: () => number = () => Math.floor(Date.now() / 1000),
): Promise<Source> {
  const seen = new Map<string, number[]>()
  const list = createList(initial)
  let dump = ''
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const key = searchParams.get('api_key') ?? ''
    seen.set(key, [...(seen.get(key) ?? []), performance.now()])
    response.setHeader('date', new Date(now() * 1000).toUTCString())
    if (pathname.endsWith('/posts')) {
      return sendJson(response, 200, list.page(Number(searchParams.get('page') ?? 1)))
    }
    if (!source.hasDumps) return sendJson(response, 404, [])
    const isPosts = pathname.endsWith('/posts/dumps')
    const body = isPosts ? dump : 'id,symbol,source\n1,AAPL,slack\n'
    response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' }).end(body)
  })
  const loopback = await listenOnLoopback(server)
  const source: Source = {
    baseUrl: `http://127.0.0.1:${loopback.port}/`,
    hasDumps: true,
    ratings: list.ratings,
    put: list.put,
    drop: list.drop,
    requests: (key) => seen.get(key)?.length ?? 0,
    busiestMinute: (key) => countMost(seen.get(key) ?? [], 60_000),
    makeEdition(at) {
      const edition = editionAt(at)
      dump = toCsv([...list.ratings.values()].filter(({ created_at }) => created_at <= edition))
    },
    close: loopback.close,
  }
  return source
}

/** `times` in ms, ascending. */
const countMost = (times: readonly number[], withinMs: number): number =>
  Math.max(
    0,
    ...times.map((from, at) => times.slice(at).filter((time) => time < from + withinMs).length),
  )

function createList(initial: readonly Rating[]) {
  const ratings = new Map(initial.map((rating) => [rating.id, rating]))
  let order: number[] | null = null
  return {
    ratings,
    put(rating: Rating) {
      if (!ratings.has(rating.id)) order = null
      ratings.set(rating.id, rating)
    },
    drop(id: number) {
      if (ratings.delete(id)) order = null
    },
    page(number: number): Rating[] {
      order ??= [...ratings.keys()].sort((a, b) => b - a)
      const ids = order.slice((number - 1) * PAGE_ROWS, number * PAGE_ROWS)
      return ids.flatMap((id) => ratings.get(id) ?? [])
    },
  }
}

function sendJson(response: ServerResponse, status: number, data: unknown): void {
  const success = status === 200
  const body = JSON.stringify({ success, code: status, message: success ? 'OK' : 'none', data })
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
}

export function postRatings(
  { ratings, put }: Source,
  { count, at, random }: { count: number; at: number; random: () => number },
): void {
  const ids = [...ratings.keys()]
  let id = ids.reduce((highest, one) => Math.max(highest, one), 0)
  for (let index = 0; index < count; index += 1) {
    const like = ratings.get(ids[Math.floor(random() * ids.length)] ?? 0)
    if (!like) continue
    id += 1
    const created_at = at - (count - index)
    const expired_at = created_at + 90 * 86_400
    put({
      ...like,
      id,
      created_at,
      created_at_date: toDateText(created_at),
      expired_at,
      expired_at_date: toDateText(expired_at),
      rating: 1 + Math.floor(random() * 5),
    })
  }
}

/** Returns the removed ratings as last listed. */
export function passWeek(
  { ratings, put, drop }: Source,
  { at, random, listed }: { at: number; random: () => number; listed: ReadonlyMap<number, Rating> },
): Rating[] {
  const ids = [...listed.keys()]
  const pick = () => ratings.get(ids[Math.floor(random() * ids.length)] ?? 0)
  const change = (share: number, edit: (rating: Rating) => Rating) => {
    for (let left = Math.ceil(ids.length * share); left > 0; left -= 1) {
      const found = pick()
      if (found) put(edit(found))
    }
  }
  change(0.01, (one) => ({ ...one, tally_agree: one.tally_agree + 1 }))
  change(0.001, (one) => ({ ...one, rating: (one.rating % 5) + 1, prediction: '12.34' }))
  change(0.001, (one) => ({ ...one, expired_at: at, expired_at_date: toDateText(at) }))
  const gone: Rating[] = []
  for (let left = Math.ceil(ids.length * 0.0005); left > 0; left -= 1) {
    const id = pick()?.id ?? 0
    const last = listed.get(id)
    if (!last) continue
    drop(id)
    gone.push(last)
  }
  return gone
}

export async function loadCommunity(dir: string, ratings: number, at: number): Promise<Rating[]> {
  const service = await createService({
    dir: join(dir, 'service'),
    source: { kind: 'demo', ratings, seed: 1, tailSeconds: 0 },
    now: () => at,
    setTimer: () => () => undefined,
    sleep,
  })
  try {
    const key = await service.keys.ensure('soak', { perMinute: 1_000_000 })
    const url = 'http://soak/service/api/v1/posts/dumps'
    const headers = { authorization: `Bearer ${key}` }
    const response = await service.handle(new Request(url, { headers }))
    const reader = createCsvReader()
    const records = reader.push(new Uint8Array(await response.arrayBuffer()))
    const header = reader.header() ?? []
    return [...records, ...reader.end().records].flatMap(({ cells }) => {
      const parsed = parseCsvRating(header, cells)
      return parsed.ok ? [parsed.rating] : []
    })
  } finally {
    await service.close()
  }
}
