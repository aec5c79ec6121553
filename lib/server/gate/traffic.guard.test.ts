import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { guardHttp } from './traffic.ts'

const endGuard = guardHttp()
afterAll(endGuard)

async function seen(
  method: string,
  path: string,
): Promise<Pick<IncomingMessage, 'method' | 'url'>> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await new Promise((resolve, reject) => {
      server.on('request', ({ method, url }, response) => {
        response.end()
        resolve({ method, url })
      })
      const { port } = server.address() as AddressInfo
      request({ port, host: '127.0.0.1', method, path, agent: false }).on('error', reject).end()
    })
  } finally {
    server.close()
  }
}

it.each(['TRACE', 'PROPFIND', 'QUERY'])(
  'the framework never sees %s, at which it would fail',
  async (method) => {
    expect((await seen(method, '/api/status')).method).toBe('OPTIONS')
  },
)

it('any other request is left as it came', async () => {
  const path = '/api/symbols/BRK%2EB?date=2026-01-01&x=%ff'
  expect(await seen('GET', path)).toEqual({ method: 'GET', url: path })
})

it('a connection that asks for another protocol is closed', async () => {
  const server = createServer((_request, response) => response.end())
  server.on('upgrade', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const ask = (headers: Record<string, string>) =>
    new Promise<string>((resolve) => {
      const asked = request({ port, host: '127.0.0.1', headers, agent: false }, (response) => {
        response.resume().on('end', () => resolve('answered'))
      })
      asked.on('error', () => resolve('closed')).end()
    })
  expect(await ask({})).toBe('answered')
  expect(await ask({ Connection: 'Upgrade', Upgrade: 'websocket' })).toBe('closed')
  server.close()
})
