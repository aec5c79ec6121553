import { createServer, get, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type Answered, assignRequestId, createTraffic } from './traffic.ts'

async function open(answer: (response: ServerResponse) => void) {
  let ms = 0
  const traffic = createTraffic(() => {
    ms += 250
    return ms
  })
  const answered: Answered[] = []
  traffic.onAnswered((one) => answered.push(one))
  const server = createServer((request, response) => {
    const id = assignRequestId(request, response)
    traffic.begin(request, response, { id, client: '127.0.0.1' })
    answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => server.closeAllConnections())
  const { port } = server.address() as AddressInfo
  const ask = (headers: Record<string, string> = {}) =>
    new Promise<number>((resolve) => {
      get(
        { port, host: '127.0.0.1', path: '/api/status?x=1', headers, agent: false },
        (response) => {
          response.resume()
          response.on('close', () => resolve(response.statusCode ?? 0))
        },
      ).on('error', () => resolve(0))
    })
  return { traffic, answered, ask, server }
}

test('each request is told once, with its name, who asked, status and time', async () => {
  const { traffic, answered, ask } = await open((response) => response.writeHead(404).end())
  await ask({ 'x-request-id': 'from-the-proxy' })
  await ask({ 'x-request-id': 'forged\u00e9"} {"' })
  await expect.poll(() => answered.length).toBe(2)
  expect(answered[0]).toEqual({
    id: 'from-the-proxy',
    client: '127.0.0.1',
    method: 'GET',
    url: '/api/status?x=1',
    status: 404,
    seconds: 0.25,
  })
  expect(answered[1]?.id).toMatch(/^[0-9a-f]{18}$/)
  expect(traffic.active()).toBe(0)
})

test('draining waits for what is being answered, and takes nobody new', async () => {
  let end = () => {}
  const { traffic, ask, server } = await open((response) => {
    end = () => response.end('late')
  })
  const first = ask()
  await expect.poll(traffic.active).toBe(1)
  server.close()
  const drained = traffic.drain(new AbortController().signal)
  expect(await ask()).toBe(0)
  end()
  await drained
  expect(await first).toBe(200)
})

test('draining gives up at its deadline, and what is open is cut', async () => {
  const { traffic, ask, answered, server } = await open(() => {})
  const asked = ask()
  await expect.poll(traffic.active).toBe(1)
  const deadline = new AbortController()
  const drained = traffic.drain(deadline.signal)
  deadline.abort()
  await drained
  server.closeAllConnections()
  expect(await asked).toBe(0)
  await expect.poll(() => answered).toMatchObject([{ status: 0 }])
})
