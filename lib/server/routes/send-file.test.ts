import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { AppError } from '#lib/contract/faults.ts'
import { openTestNode, putEdition } from '#testing/nodes/edition-nodes.ts'
import { seizeLease } from '#testing/store/open-store.ts'
import { openTestStore } from '#testing/store/test-store.ts'
import { sendDatabase, sendEdition, sendEditionFile } from './send-file.ts'

const TEXT = 'id,user_id\n1,2\n'
const RUNTIME = Symbol.for('bellwether.runtime')
const registry = globalThis as unknown as Record<symbol, unknown>
const server = createServer((incoming, outgoing) => {
  const isFile = incoming.url?.startsWith('/api/editions/')
  if (incoming.url === '/api/database.duckdb') void sendDatabase(incoming, outgoing)
  else
    void (isFile ? sendEditionFile(incoming, outgoing) : sendEdition('posts')(incoming, outgoing))
})
let dir: string

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'bellwether-send-'))
  const path = join(dir, 'posts-2026-11-15.csv')
  writeFileSync(path, TEXT)
  const edition = {
    path,
    fileName: 'posts-2026-11-15.csv',
    sha256: 'abc',
    fetched_at: 1_790_000_000,
  }
  putRuntime(async () => edition)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
  rmSync(dir, { recursive: true, force: true })
})

const putRuntime = (ensure: (kind: string, options: { purpose?: string }) => Promise<unknown>) => {
  const runtime = {
    env: { allowedHosts: null },
    editions: { ensure, file: findFile },
    database: { ensure: ensureDatabase },
  }
  registry[RUNTIME] = { current: async () => runtime }
}
const asked: string[] = []
const findFile = async (fileName: string) => {
  asked.push(fileName)
  const isKept = fileName === 'posts-2026-11-15.csv'
  return isKept ? { path: join(dir, fileName), sha256: 'abc', fetchedAt: 1_790_000_000 } : null
}
const ensureDatabase = async () => ({
  path: join(dir, 'posts-2026-11-15.csv'),
  etag: '"7-1790000000-1"',
  asOf: 1_790_000_000,
})
const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const ask = (headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { headers })

it.each([
  [{ 'If-Match': '"other"' }, 412, 'precondition_failed', null],
  [{ 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 412, 'precondition_failed', null],
  [{ Range: 'bytes=99-' }, 416, 'range_not_satisfiable', `bytes */${TEXT.length}`],
])(
  '%j is answered with %i in the one shape, and nothing of the file',
  async (headers, status, type, range) => {
    const response = await ask(headers)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ success: false, code: status, error: { type } })
    const { headers: sent } = response
    expect(sent.get('content-type')).toMatch(/json/)
    expect([sent.get('etag'), sent.get('content-disposition')]).toEqual([null, null])
    expect(sent.get('content-range')).toBe(range)
  },
)

it('a range is sent with its length and the validator of the edition', async () => {
  const response = await ask({ Range: 'bytes=0-1', 'If-Range': '"abc"' })
  expect([response.status, await response.text()]).toEqual([206, 'id'])
  expect(response.headers.get('content-length')).toBe('2')
})

it('a dump that cannot be fetched is told as such, whichever bundle says so', async () => {
  vi.resetModules()
  const { AppError } = await import('#lib/contract/faults.ts')
  putRuntime(async () => {
    throw new AppError('upstream_unavailable', 'The service reported an internal error.', {
      retryAfterSeconds: 60,
    })
  })
  const response = await ask()
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60'])
})

it('what a visitor asks for is charged to the share of people', async () => {
  const purposes: (string | undefined)[] = []
  putRuntime(async (_kind, { purpose }) => {
    purposes.push(purpose)
    throw new AppError('not_ready', 'None.')
  })
  await ask()
  expect(purposes).toEqual(['people'])
})

it('an earlier edition is sent by its name, as a whole, as a part, and as its headers alone', async () => {
  const url = `${address()}/api/editions/posts-2026-11-15.csv`
  const whole = await fetch(url)
  expect([whole.status, await whole.text()]).toEqual([200, TEXT])
  const sent = ['content-length', 'etag', 'content-disposition', 'cache-control'].map((name) =>
    whole.headers.get(name),
  )
  expect(sent).toEqual([
    String(TEXT.length),
    '"abc"',
    'attachment; filename="posts-2026-11-15.csv"',
    'private, no-cache, no-transform',
  ])
  const part = await fetch(url, { headers: { Range: 'bytes=3-', 'If-Range': '"abc"' } })
  expect([part.status, await part.text()]).toEqual([206, TEXT.slice(3)])
  const other = await fetch(url, { headers: { Range: 'bytes=3-', 'If-Range': '"another"' } })
  expect([other.status, await other.text()]).toEqual([200, TEXT])
  const head = await fetch(url, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(TEXT.length)])
  const post = await fetch(url, { method: 'POST' })
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

it.each([
  'imported.json',
  'posts-2026-11-15.json',
  'posts.csv.part',
  '..%2Fposts-2026-11-15.csv',
  '%2E%2E%2F%2E%2E%2Fetc%2Fpasswd',
  'aside%2Fposts-2026-11-15.csv',
  'posts-2026-11-15.csv%00',
  'POSTS-2026-11-15.CSV',
  '',
])('%j is no edition: it is not even looked for', async (name) => {
  asked.length = 0
  const response = await fetch(`${address()}/api/editions/${name}`)
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ error: { type: 'not_found' } })
  expect(asked).toEqual([])
})

it('an edition that was pruned is not found', async () => {
  expect((await fetch(`${address()}/api/editions/posts-2025-01-05.csv`)).status).toBe(404)
})

it('who reads an edition goes on to its end although it is removed meanwhile', async () => {
  const large = 'x'.repeat(8_000_000)
  writeFileSync(join(dir, 'posts-2026-11-15.csv'), large)
  const readers = await Promise.all(
    Array.from({ length: 20 }, () => fetch(`${address()}/api/editions/posts-2026-11-15.csv`)),
  )
  rmSync(join(dir, 'posts-2026-11-15.csv'))
  const lengths = await Promise.all(readers.map(async (reader) => (await reader.text()).length))
  expect(new Set(lengths)).toEqual(new Set([large.length]))
})

it('a download that began on one node goes on at another, from a file that came by the shared database', async () => {
  const store = await openTestStore()
  onTestFinished(store.close)
  const sql = store.connect()
  const lease = await seizeLease(sql, 'leader')
  const bytes = Buffer.alloc(3_000_000, 'id,user_id\n1,2\n')
  const [leader, follower] = [await openTestNode(sql), await openTestNode(sql)]
  const { path } = await putEdition(leader.dir, { week: 1, bytes })
  await leader.editions.reload()
  await leader.copies.publish(lease)
  await follower.copies.follow(new AbortController().signal)
  const asked = async (node: typeof leader, headers: Record<string, string>) => {
    registry[RUNTIME] = { current: async () => ({ env: {}, editions: node.editions }) }
    return await fetch(`${address()}/api/editions/${basename(path)}`, { headers })
  }
  const toValidators = ({ headers }: Response) => [
    headers.get('etag'),
    headers.get('last-modified'),
    headers.get('content-disposition'),
  ]
  const begun = await asked(leader, { Range: 'bytes=0-1999999' })
  const validator = begun.headers.get('etag') ?? ''
  const rest = await asked(follower, { Range: 'bytes=2000000-', 'If-Range': validator })
  expect([begun.status, rest.status]).toEqual([206, 206])
  expect(toValidators(rest)).toEqual(toValidators(begun))
  const parts = [await begun.arrayBuffer(), await rest.arrayBuffer()].map((part) =>
    Buffer.from(part),
  )
  expect(Buffer.concat(parts).equals(bytes)).toBe(true)
})

it('the database is sent by ranges, and not to a client that expects an earlier file', async () => {
  const url = `${address()}/api/database.duckdb`
  const whole = await fetch(url, { headers: { 'If-Match': '"7-1790000000-1"' } })
  expect([whole.status, await whole.text()]).toEqual([200, TEXT])
  const names = ['content-type', 'content-length', 'etag', 'content-disposition', 'accept-ranges']
  expect(names.map((name) => whole.headers.get(name))).toEqual([
    'application/vnd.duckdb',
    String(TEXT.length),
    '"7-1790000000-1"',
    'attachment; filename="database.duckdb"',
    'bytes',
  ])
  const part = await fetch(url, { headers: { Range: 'bytes=3-' } })
  expect([part.status, await part.text()]).toEqual([206, TEXT.slice(3)])
  const earlier = await fetch(url, { headers: { 'If-Match': '"6-1780000000-1"' } })
  expect([earlier.status, earlier.headers.get('etag')]).toEqual([412, null])
  const named = await fetch(`${url}?table=ratings`)
  expect((await named.json()).error.issues).toEqual([
    { parameter: 'table', message: 'is not a parameter here' },
  ])
})
