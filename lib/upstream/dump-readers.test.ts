import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { listenRaw, openClient, rejection } from './scripted-service.test-support.ts'

const CSV = `id,symbol\r\n${Array.from({ length: 400 }, (_, id) => `${id},ACME\r\n`).join('')}`

test('whoever stops reading ends the connection, even before the first byte', async () => {
  const { baseUrl, open } = await listenRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 900000000\r\n\r\nid,symbol\r\n')
  })
  const { upstream } = await openClient({ baseUrl })
  const early = (await upstream.fetchDump('posts')).body[Symbol.asyncIterator]()
  await early.return?.()
  expect(await early.next()).toMatchObject({ done: true })
  for await (const _ of (await upstream.fetchDump('posts')).body) break
  await expect.poll(open).toBe(0)
})

test('whoever gives up in the middle is let go with their own reason, and the connection ends', async () => {
  const reason = new Error('enough')
  for (const encoding of ['identity', 'gzip']) {
    const { baseUrl, open } = await listenRaw((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\n\r\n`)
      socket.write(encoding === 'gzip' ? gzipSync(CSV) : CSV)
    })
    const controller = new AbortController()
    const { upstream } = await openClient({ baseUrl, timeLimits: { dumpIdleMs: 9000 } })
    const { body } = await upstream.fetchDump('posts', { signal: controller.signal })
    const read = async () => {
      for await (const _ of body) setTimeout(() => controller.abort(reason), 10)
    }
    expect(await rejection(read())).toBe(reason)
    await expect.poll(open).toBe(0)
  }
})

test('a reader that is slow is no fault of the service, and holds it back', async () => {
  let made = 0
  const body = () =>
    new ReadableStream(
      {
        pull(controller) {
          made += 1
          if (made > 20) controller.close()
          else controller.enqueue(Buffer.alloc(1000, 'x'))
        },
      },
      { highWaterMark: 0 },
    )
  const timeLimits = { dumpIdleMs: 20, dumpIdleBytes: 100_000 }
  const { upstream } = await openClient({
    baseUrl: new URL('http://in.process'),
    transport: async () => new Response(body()),
    timeLimits,
  })
  const dump = await upstream.fetchDump('posts')
  let taken = 0
  for await (const _ of dump.body) {
    taken += 1
    if (taken <= 3) await new Promise((resolve) => setTimeout(resolve, 25))
    expect(made).toBeLessThanOrEqual(taken + 1)
  }
  expect(taken).toBe(20)
})
