import { expect, test } from 'vitest'
import { ApiError } from '#lib/client/api-error.ts'
import { CutShort, type ReceiveOptions, receiveExport } from './receive-export.ts'
import { createHeldSink, type Sink } from './sinks.ts'

const JOB = { url: '/api/ratings.csv', format: 'csv', fileName: 'fallback.csv' } as const
const CSV = 'id,symbol\r\n1,"A\r\n"\r\n2,B\r\n'
const HEADERS = {
  'bellwether-rows': '2',
  'content-disposition': `attachment; filename="u65e5.csv"; filename*=UTF-8''%E6%97%A5.csv`,
}

/** A body in pieces, which may break off. */
function toBody(text: string, breaks = false): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  const pieces = [bytes.subarray(0, 14), bytes.subarray(14)]
  return new ReadableStream({
    pull(controller) {
      const piece = pieces.shift()
      if (piece) controller.enqueue(piece)
      else if (breaks) controller.error(new TypeError('network error'))
      else controller.close()
    },
  })
}

function createSink() {
  const saved: { name: string; file: Blob }[] = []
  let discarded = 0
  const held = createHeldSink('text/csv', (file, name) => saved.push({ name, file }))
  const sink: Sink = {
    ...held,
    discard: async () => {
      discarded += 1
      await held.discard()
    },
  }
  return { sink, saved, discarded: () => discarded }
}

function receive(
  response: () => Response | Promise<Response>,
  options: Partial<ReceiveOptions> = {},
) {
  const kept = createSink()
  const seen: (number | null)[] = []
  const result = receiveExport(JOB, kept.sink, {
    fetchFile: async () => response(),
    signal: new AbortController().signal,
    onProgress: ({ rows }) => seen.push(rows),
    ...options,
  })
  return { result, seen, ...kept }
}

test('a whole export is kept under the name that the server gave it, row by row counted', async () => {
  const { result, saved, seen, discarded } = receive(
    () => new Response(toBody(CSV), { headers: HEADERS }),
  )
  expect(await result).toMatchObject({ fileName: '日.csv', rows: 2, bytes: CSV.length })
  expect(await saved[0]?.file.text()).toBe(CSV)
  expect(seen).toEqual([0, 2])
  expect(discarded()).toBe(0)
})

test.each([
  ['ends too early', CSV.slice(0, -5), false],
  ['ends between two rows', CSV.slice(0, CSV.indexOf('2,B')), false],
  ['breaks off', CSV.slice(0, CSV.indexOf('2,B')), true],
  ['holds a row too many', `${CSV}3,C\r\n`, false],
  ['holds nothing', '', false],
])('an export that %s is never kept', async (_how, text, breaks) => {
  const { result, saved, discarded } = receive(
    () => new Response(toBody(text, breaks), { headers: HEADERS }),
  )
  await expect(result).rejects.toBeInstanceOf(CutShort)
  await expect(result).rejects.toMatchObject({ progress: { declared: { rows: 2 } } })
  expect([saved.length, discarded()]).toEqual([0, 1])
})

test('an answer that does not say how many rows it holds is not kept', async () => {
  const { result, saved } = receive(() => new Response(CSV))
  await expect(result).rejects.toBeInstanceOf(ApiError)
  expect(saved).toEqual([])
})

test('a refusal comes with the server’s own words', async () => {
  const error = { type: 'busy', message: 'Too many exports at once.' }
  const body = { success: false, code: 503, data: [], error }
  const { result } = receive(() => Response.json(body, { status: 503 }))
  await expect(result).rejects.toMatchObject({ message: 'Too many exports at once.', status: 503 })
})

test('a dashboard that cannot be reached is said to be so', async () => {
  const { result } = receive(() => Promise.reject(new TypeError('Failed to fetch')))
  await expect(result).rejects.toMatchObject({ type: 'offline' })
})

test('a cancelled export is discarded, also in its last moment', async () => {
  const controller = new AbortController()
  const { result, saved, discarded } = receive(
    () => new Response(toBody(CSV), { headers: HEADERS }),
    { signal: controller.signal, onProgress: ({ rows }) => rows === 2 && controller.abort() },
  )
  await expect(result).rejects.toMatchObject({ name: 'AbortError' })
  expect([saved.length, discarded()]).toEqual([0, 1])
})

test('a device without room is not an empty file', async () => {
  const { sink, saved, discarded } = createSink()
  const full = new DOMException('full', 'QuotaExceededError')
  const result = receiveExport(
    JOB,
    { ...sink, write: () => Promise.reject(full) },
    {
      fetchFile: async () => new Response(toBody(CSV), { headers: HEADERS }),
      signal: new AbortController().signal,
      onProgress: () => {},
    },
  )
  await expect(result).rejects.toBe(full)
  expect([saved.length, discarded()]).toEqual([0, 1])
})
