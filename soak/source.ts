import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { toDateText } from '#lib/contract/instant-text.ts'
import type { Rating } from '#lib/contract/rating.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import { editionAt } from '#lib/contract/weekly-clock.ts'

const PAGE_ROWS = 1000

/** A ratings service on loopback whose ratings change between rounds. */
export type Source = {
  baseUrl: string
  /** By id, what it lists now. */
  ratings: Map<number, Rating>
  /** Whether it has dumps. */
  hasDumps: boolean
  /** Requests that came with a key. */
  requests(key: string): number
  /** Makes the dumps of the edition that is current at an instant. */
  makeEdition(at: number): void
  close(): Promise<void>
}

export async function openSource(initial: readonly Rating[]): Promise<Source> {
  const seen = new Map<string, number>()
  let dump = ''
  let pages: { of: number; ids: number[] } = { of: -1, ids: [] }
  const selectPage = (page: number): (Rating | undefined)[] => {
    // Ratings come and go, so their number tells whether the order is still that of the last page.
    if (pages.of !== source.ratings.size)
      pages = { of: source.ratings.size, ids: [...source.ratings.keys()].sort((a, b) => b - a) }
    const ids = pages.ids.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS)
    return ids.map((id) => source.ratings.get(id))
  }
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const key = searchParams.get('api_key') ?? ''
    seen.set(key, (seen.get(key) ?? 0) + 1)
    if (pathname.endsWith('/posts')) {
      return sendJson(response, 200, selectPage(Number(searchParams.get('page') ?? 1)))
    }
    if (!source.hasDumps) return sendJson(response, 404, [])
    const isPosts = pathname.endsWith('/posts/dumps')
    const body = isPosts ? dump : 'id,symbol,source\n1,AAPL,slack\n'
    response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : null
  const source: Source = {
    baseUrl: `http://127.0.0.1:${port}/`,
    ratings: new Map(initial.map((rating) => [rating.id, rating])),
    hasDumps: true,
    requests: (key) => seen.get(key) ?? 0,
    makeEdition(at) {
      const lines = [RATING_FIELDS.join(',')]
      for (const rating of source.ratings.values()) {
        if (rating.created_at <= editionAt(at))
          lines.push(RATING_FIELDS.map((name) => toCell(rating[name])).join(','))
      }
      dump = `${lines.join('\n')}\n`
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return source
}

const toCell = (value: string | number | null): string => {
  const text = value === null ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function sendJson(response: ServerResponse, status: number, data: unknown): void {
  const success = status === 200
  const body = JSON.stringify({ success, code: status, message: success ? 'OK' : 'none', data })
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
}

/** Adds so many ratings, the newest at `at`. */
export function postRatings(
  { ratings }: Source,
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
    ratings.set(id, {
      ...like,
      ...{ id, created_at, created_at_date: toDateText(created_at) },
      ...{ expired_at, expired_at_date: toDateText(expired_at) },
      rating: 1 + Math.floor(random() * 5),
    })
  }
}

/**
 * A week of a community: votes, edits, early expiries, and rows of `listed` that are listed no more. Gives those, as they
 * were listed last.
 */
export function passWeek(
  { ratings }: Source,
  { at, random, listed }: { at: number; random: () => number; listed: ReadonlyMap<number, Rating> },
): Rating[] {
  const ids = [...listed.keys()]
  const pick = () => ratings.get(ids[Math.floor(random() * ids.length)] ?? 0)
  const change = (share: number, edit: (rating: Rating) => Rating) => {
    for (let left = Math.ceil(ids.length * share); left > 0; left -= 1) {
      const found = pick()
      if (found) ratings.set(found.id, edit(found))
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
    ratings.delete(id)
    gone.push(last)
  }
  return gone
}
