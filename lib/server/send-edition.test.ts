import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { sendEdition } from './send-edition.ts'

const TEXT = 'id,user_id\n1,2\n'
const HOUSE = Symbol.for('bellwether.house')
const shelf = globalThis as unknown as Record<symbol, unknown>
const server = createServer((incoming, outgoing) => void sendEdition('posts', incoming, outgoing))
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
  putHouse(async () => edition)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
  rmSync(dir, { recursive: true, force: true })
})

const putHouse = (ensure: () => Promise<unknown>) => {
  const house = { env: { allowedHosts: null }, editions: { ensure } }
  shelf[HOUSE] = { current: async () => house }
}
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
  putHouse(async () => {
    throw new AppError('upstream_unavailable', 'The service is out of order.', {
      retryAfterSeconds: 60,
    })
  })
  const response = await ask()
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60'])
})
