import { expect, it } from 'vitest'
import { readBounded, toShownText } from './api-form.tsx'

const never = new AbortController().signal

it('an answer that fits is read whole', async () => {
  expect(await readBounded(new Response('{"a":1}'), { bytesMax: 100, signal: never })).toEqual({
    text: '{"a":1}',
    bytes: 7,
    isWhole: true,
  })
})

it('of a large answer only the beginning is read, and the rest is not asked for', async () => {
  let pulled = 0
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        pulled += 1
        controller.enqueue(new TextEncoder().encode('x'.repeat(40)))
      },
      cancel: () => {
        isCancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  const read = await readBounded(new Response(body), { bytesMax: 100, signal: never })
  expect(read).toEqual({ text: 'x'.repeat(100), bytes: 100, isWhole: false })
  expect({ pulled, isCancelled }).toEqual({ pulled: 3, isCancelled: true })
})

it('a stream that does not end is left when it was listened to long enough', async () => {
  const enough = new AbortController()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('event: beat\n\n')),
  })
  const reading = readBounded(new Response(body), { bytesMax: 100, signal: enough.signal })
  setImmediate(() => enough.abort())
  expect(await reading).toEqual({ text: 'event: beat\n\n', bytes: 13, isWhole: false })
})

it('JSON is laid out, but a part of it is not', () => {
  const json = 'application/json; charset=utf-8'
  expect(toShownText({ text: '{"a":1}', bytes: 7, isWhole: true }, json)).toBe('{\n  "a": 1\n}')
  expect(toShownText({ text: '{"a":', bytes: 5, isWhole: false }, json)).toBe('{"a":')
  expect(toShownText({ text: 'a,b', bytes: 3, isWhole: true }, 'text/csv')).toBe('a,b')
})
