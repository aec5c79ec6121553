import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { runInContext } from '#lib/server/gate/request-context.ts'
import { createTestContext } from '#testing/server/request-context.ts'
import { createTransfers, type TransferOptions } from './transfers.ts'

const CHUNK = Buffer.alloc(64 * 1024, 'x')

type Options = Partial<TransferOptions>

async function serve(change: Options = {}, chunks = Number.POSITIVE_INFINITY) {
  const givenUp: string[] = []
  const looks: (() => void)[] = []
  const clock = { ms: 0 }
  const transfers = createTransfers({
    limits: { all: 100, client: 100 },
    leastBytes: 1000,
    leastMs: 60_000,
    idleMs: 10_000,
    nowMs: () => clock.ms,
    every: (_ms, run) => {
      looks.push(run)
      return () => looks.splice(0)
    },
    onGivenUp: (client) => void givenUp.push(client),
    ...change,
  })
  let sending = 0
  const answer = transfers.limit(async ({ method }, outgoing) => {
    if (method === 'HEAD') return void outgoing.end()
    sending += 1
    outgoing.once('close', () => {
      sending -= 1
    })
    let written = 0
    const write = () => {
      while (written < chunks && !outgoing.destroyed) {
        written += 1
        if (!outgoing.write(CHUNK)) return
      }
      if (written >= chunks) outgoing.end()
    }
    outgoing.on('drain', write)
    write()
  })
  const server = createServer((incoming, outgoing) => {
    const context = createTestContext({ client: String(incoming.headers['x-client']) })
    void runInContext(context, () => answer(incoming, outgoing))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const open = (client: string, method = 'GET') =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const options = { port, host: '127.0.0.1', method, agent: false }
      const request = get({ ...options, headers: { 'x-client': client } }, (incoming) => {
        incoming.on('error', () => {})
        resolve(incoming)
      })
      request.on('error', reject)
      request.end()
    })
  const pass = async (ms: number) => {
    for (let step = 0; step < 4; step += 1) {
      clock.ms += ms / 4
      await new Promise((resolve) => setTimeout(resolve, 20))
      for (const look of looks) look()
    }
  }
  return { open, pass, givenUp, sending: () => sending }
}

test('three hundred readers who never read lose their connections, and others have a place meanwhile', async () => {
  const { open, pass, givenUp, sending } = await serve({ limits: { all: 64, client: 8 } })
  const answers: IncomingMessage[] = []
  for (let reader = 0; reader < 300; reader += 1) answers.push(await open(`from ${reader % 75}`))
  const refused = answers.filter(({ statusCode }) => statusCode === 503)
  expect([sending(), refused.length]).toEqual([64, 236])
  expect(refused[0]?.headers['retry-after']).toBe('10')
  await pass(11_000)
  const reader = await open('somebody')
  expect(reader.statusCode).toBe(200)
  expect(givenUp).toHaveLength(1)
  reader.resume()
  await pass(30_000)
  await pass(30_000)
  expect(givenUp).toHaveLength(64)
  await expect.poll(sending).toBe(1)
})

test('one client takes no more than its share, and gives it back', async () => {
  const { open } = await serve({ limits: { all: 100, client: 2 } })
  const [first] = [await open('one'), await open('one')]
  expect((await open('one')).statusCode).toBe(503)
  expect((await open('another')).statusCode).toBe(200)
  first?.destroy()
  await expect.poll(async () => (await open('one')).statusCode).toBe(200)
})

test('a reader who takes his time but keeps the least rate is sent all of it', async () => {
  const { open, pass, givenUp } = await serve({ limits: { all: 1, client: 1 } }, 400)
  const reader = await open('slow')
  let bytes = 0
  reader.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  for (let minute = 0; minute < 20; minute += 1) {
    reader.pause()
    await pass(30_000)
    reader.resume()
    await pass(10_000)
  }
  await expect.poll(() => bytes).toBe(400 * CHUNK.length)
  expect(givenUp).toEqual([])
})
