import { describe, expect, it, vi } from 'vitest'
import { isKept, loadDatabase } from './database-file.ts'

const BYTES = new Uint8Array([1, 2, 3, 4])
const FILE = { url: '/api/database.duckdb?tables=core', etag: '"1"', bytes: BYTES.length }

/** As browsers keep it. */
function createCache() {
  const kept = new Map<string, Response>()
  const cache = {
    match: async (url: string) => kept.get(url)?.clone(),
    put: async (url: string, response: Response) => void kept.set(url, response),
    keys: async () => [...kept.keys()].map((url) => ({ url })),
    delete: async ({ url }: { url: string }) => kept.delete(url),
  }
  return { kept, storage: async () => cache as unknown as Cache }
}

const unstored = () => null
const broken = async () => await Promise.reject(new DOMException('', 'SecurityError'))

const answering = (body: BodyInit | null, init?: ResponseInit) => async () =>
  new Response(body, init)

const load = (options: Partial<Parameters<typeof loadDatabase>[1]>, file = FILE) =>
  loadDatabase(file, {
    fetchFile: answering(BYTES),
    storage: unstored,
    signal: new AbortController().signal,
    onProgress: () => {},
    ...options,
  })

const toBytes = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer())

describe('the file', () => {
  it('is asked for by its version', async () => {
    const asked: unknown[] = []
    const fetchFile = async (url: string, { headers }: RequestInit) => {
      asked.push(url, headers)
      return new Response(BYTES)
    }
    await load({ fetchFile })
    expect(asked).toEqual([FILE.url, { 'if-match': FILE.etag }])
  })

  it.each([
    ['without storage', unstored],
    ['with storage that refuses', broken],
  ])('is fetched %s', async (_, storage) => {
    const seen: number[] = []
    const blob = await load({ storage, onProgress: (bytes) => seen.push(bytes) })
    expect(await toBytes(blob)).toEqual(BYTES)
    expect(seen.at(-1)).toBe(BYTES.length)
  })

  it('is kept by address, and older ones of its set go', async () => {
    const { kept, storage } = createCache()
    const whole = '/api/database.duckdb?tables=all&etag=%221%22'
    kept.set(whole, new Response(BYTES))
    kept.set('/api/database.duckdb?%220%22', new Response(BYTES))
    await load({ storage })
    await vi.waitFor(async () => expect(await isKept(FILE, storage)).toBe(true))
    const again = await load({ storage, fetchFile: () => Promise.reject(new Error('fetched')) })
    expect(await toBytes(again)).toEqual(BYTES)
    const newer = { ...FILE, etag: '"2"' }
    await load({ storage }, newer)
    const key = '/api/database.duckdb?tables=core&etag=%222%22'
    await vi.waitFor(() => expect([...kept.keys()]).toEqual([whole, key]))
  })

  it('that is kept with another length is fetched again', async () => {
    const { storage } = createCache()
    await (await storage()).put('/api/database.duckdb?tables=core&etag=%221%22', new Response('x'))
    expect(await toBytes(await load({ storage }))).toEqual(BYTES)
  })
})

describe('a download', () => {
  it('that is cut short is an error, and nothing is kept', async () => {
    const { kept, storage } = createCache()
    const cut = load({ storage, fetchFile: answering(BYTES.slice(0, 2)) })
    await expect(cut).rejects.toThrow('cut short')
    expect(kept.size).toBe(0)
  })

  it('that breaks off is an error', async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(BYTES.slice(0, 1))
        controller.error(new Error('reset'))
      },
    })
    await expect(load({ fetchFile: answering(body) })).rejects.toThrow('cut short')
  })

  it('that is refused reports what the server said', async () => {
    const fetchFile = answering(
      JSON.stringify({ error: { type: 'unauthorized', message: 'Sign in first.', issues: [] } }),
      { status: 401 },
    )
    await expect(load({ fetchFile })).rejects.toMatchObject({ status: 401 })
  })

  it('without a connection is reported', async () => {
    const fetchFile = async () => await Promise.reject(new TypeError('network'))
    await expect(load({ fetchFile })).rejects.toMatchObject({ type: 'offline' })
  })

  it('ends with the signal', async () => {
    const abort = new AbortController()
    abort.abort()
    await expect(load({ signal: abort.signal })).rejects.toThrow('aborted')
  })
})
