import { createHash, webcrypto } from 'node:crypto'
import { expect, test } from 'vitest'
import { ApiError } from '#lib/client/api-error.ts'
import {
  type DownloadOptions,
  downloadWithProgress,
  holdNothing,
  type PartialDownload,
  verifyChecksum,
} from './dump-download.tsx'

const URL = '/api/v1/posts/dumps'
const bytes = (text: string) => new TextEncoder().encode(text)
const text = (held: PartialDownload) => new Blob(held.parts).text()
const tagOf = (file: string) => `"${createHash('sha256').update(file).digest('hex')}"`

function serve(file: string) {
  let current = file
  const asked: (string | null)[] = []
  const fetchFile: DownloadOptions['fetchFile'] = async (_url, init) => {
    const headers = new Headers(init.headers)
    asked.push(headers.get('range'))
    const from = Number(/bytes=(\d+)-/.exec(headers.get('range') ?? '')?.[1] ?? 0)
    const partial = from > 0 && headers.get('if-range') === tagOf(current)
    const content = bytes(partial ? current.slice(from) : current)
    return new Response(content, {
      status: partial ? 206 : 200,
      headers: {
        'content-length': String(content.length),
        etag: tagOf(current),
        'content-disposition': 'attachment; filename="posts-2026-11-15.csv"',
      },
    })
  }
  const replace = (next: string) => {
    current = next
  }
  return { fetchFile, asked, replace }
}

const run = (held: PartialDownload, fetchFile: DownloadOptions['fetchFile'], seen: number[] = []) =>
  downloadWithProgress(URL, held, {
    fetchFile,
    signal: new AbortController().signal,
    onProgress: ({ received }) => seen.push(received),
  })

test('a file arrives whole, with its name, its size and its progress', async () => {
  const held = holdNothing()
  const seen: number[] = []
  await run(held, serve('id,symbol\n1,AAPL\n').fetchFile, seen)
  expect(await text(held)).toBe('id,symbol\n1,AAPL\n')
  expect(held).toMatchObject({ total: 17, received: 17, fileName: 'posts-2026-11-15.csv' })
  expect(seen).toEqual([17])
})

function serveShort(file: string, shown: number) {
  const whole = serve(file)
  let first = true
  const fetchFile: DownloadOptions['fetchFile'] = async (url, init) => {
    const response = await whole.fetchFile(url, init)
    if (!first) return response
    first = false
    const { headers } = response
    return new Response(bytes(file.slice(0, shown)), { status: 200, headers })
  }
  return { ...whole, fetchFile }
}

test('after a break only what is missing is asked for', async () => {
  const held = holdNothing()
  const server = serveShort('0123456789', 4)
  await expect(run(held, server.fetchFile)).rejects.toBeInstanceOf(ApiError)
  expect(held.received).toBe(4)
  await run(held, server.fetchFile)
  expect(server.asked).toEqual([null, 'bytes=4-'])
  expect(await text(held)).toBe('0123456789')
  expect(held.total).toBe(10)
})

test('two editions are never spliced: a changed file begins again', async () => {
  const held = holdNothing()
  const server = serveShort('0123456789', 4)
  await expect(run(held, server.fetchFile)).rejects.toThrow()
  server.replace('abcdefghij-new')
  await run(held, server.fetchFile)
  expect(await text(held)).toBe('abcdefghij-new')
})

test('a refusal comes with the server’s own words', async () => {
  const body = {
    success: false,
    code: 503,
    data: [],
    error: { type: 'budget_spent', message: 'The month’s requests are spent.' },
  }
  const fetchFile = async () => Response.json(body, { status: 503 })
  await expect(run(holdNothing(), fetchFile)).rejects.toThrow('The month’s requests are spent.')
})

test('a broken connection is an ApiError, never an empty file', async () => {
  const held = holdNothing()
  const fetchFile = async () => {
    throw new TypeError('Failed to fetch')
  }
  await expect(run(held, fetchFile)).rejects.toMatchObject({ type: 'offline' })
})

test('a checksum is confirmed, refuted, or honestly unknown', async () => {
  const crypto = webcrypto as Crypto
  const file = new Blob(['abc'])
  expect(await verifyChecksum(file, tagOf('abc'), crypto)).toBe(true)
  expect(await verifyChecksum(file, tagOf('abd'), crypto)).toBe(false)
  expect(await verifyChecksum(file, 'W/"1-2"', crypto)).toBeNull()
  expect(await verifyChecksum(file, tagOf('abc'), {} as Crypto)).toBeNull()
})
