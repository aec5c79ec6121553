import { createReadStream, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { parseCsvRating, type Rating } from '#lib/contract/rating.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import { listenOnLoopback } from '#testing/loopback.ts'
import { makeRating } from '#testing/make-ratings.ts'

export type BenchService = {
  url: string
  key: string
  count(): number
  add(): void
  close(): Promise<void>
}

const PAGE_SIZE = 100
/** More than a sync reads before it meets a known rating. */
const LISTED = 2000
const TAIL_BYTES = 1_000_000
const KEY = 'a-key-of-the-bench'
const LOOKUPS = 'when,what\n2026-01-01,AAPL\n'

export async function startBenchService(dump: {
  path: string
  rows: number
}): Promise<BenchService> {
  const listed = await readNewest(dump.path)
  let count = dump.rows
  const answer = (address: URL, response: ServerResponse) => {
    if (address.pathname.endsWith('/api/v1/posts')) {
      const number = Number(address.searchParams.get('page') ?? '1')
      const data = listed.slice((number - 1) * PAGE_SIZE, number * PAGE_SIZE)
      response.setHeader('content-type', 'application/json')
      return response.end(JSON.stringify({ success: true, code: 200, data }))
    }
    response.setHeader('content-type', 'text/csv; charset=utf-8')
    if (address.pathname.endsWith('/api/v1/lookups/dumps')) return response.end(LOOKUPS)
    response.setHeader('content-length', statSync(dump.path).size)
    return createReadStream(dump.path).pipe(response)
  }
  const server = createServer((request, response) => {
    answer(new URL(`http://bench${request.url}`), response)
  })
  const { port, close } = await listenOnLoopback(server)
  return {
    url: `http://127.0.0.1:${port}`,
    key: KEY,
    count: () => count,
    add() {
      count += 1
      const created_at = Math.floor(Date.now() / 1000)
      listed.unshift(makeRating((listed[0]?.id ?? 0) + 1, { created_at }))
    },
    close,
  }
}

async function readNewest(path: string): Promise<Rating[]> {
  const file = await open(path)
  const { size } = await file.stat()
  const start = Math.max(0, size - TAIL_BYTES)
  const text = (await file.read(Buffer.alloc(size - start), { position: start })).buffer.toString()
  await file.close()
  const ratings: Rating[] = []
  for (const line of text.trimEnd().split('\n').slice(1).slice(-LISTED)) {
    const parsed = parseCsvRating(RATING_FIELDS, line.split(','))
    if (parsed.ok) ratings.push(parsed.rating)
  }
  return ratings.sort((a, b) => b.id - a.id)
}
