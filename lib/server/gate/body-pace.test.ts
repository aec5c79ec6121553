import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { requirePace } from './traffic.ts'

const MEBIBYTE = 1024 * 1024

async function open(bytes: number) {
  const seen = { bytes: 0, isEnded: false }
  const timers = new Set<() => void>()
  const server = createServer((asked, response) => {
    requirePace(asked, response, (_ms, run) => {
      timers.add(run)
      return () => void timers.delete(run)
    })
    asked.on('data', (piece) => {
      seen.bytes += piece.length
    })
    asked.on('error', () => {})
    asked.on('end', () => response.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => server.closeAllConnections())
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const headers = { 'content-length': bytes }
  const sent = request({ port, host: '127.0.0.1', method: 'PUT', headers, agent: false })
  const answered = new Promise<number>((resolve) => {
    sent.on('response', (response) => resolve(response.resume().statusCode ?? 0))
    sent.on('error', () => resolve(0))
  })
  void answered.then(() => {
    seen.isEnded = true
  })
  let written = 0
  const send = async (more: number) => {
    written += more
    sent.write(Buffer.alloc(more))
    while (seen.bytes < written) await nextTurn()
  }
  const passPeriod = async () => {
    for (const run of [...timers]) run()
    await nextTurn()
  }
  await send(1)
  return { send, passPeriod, answered, seen, timers }
}

it('a body that keeps coming goes on for as long as it takes', async () => {
  const { send, passPeriod, answered, seen, timers } = await open(10 * MEBIBYTE + 2)
  for (let period = 0; period < 40; period += 1) {
    await send(MEBIBYTE / 4)
    await passPeriod()
  }
  expect(seen).toEqual({ bytes: 10 * MEBIBYTE + 1, isEnded: false })
  await send(1)
  expect(await answered).toBe(200)
  expect(timers.size).toBe(0)
})

it.each([
  ['that stands still', 0],
  ['that brings less than 8 KiB a second', 239 * 1024],
])('a body %s ends with 408', async (_, bytes) => {
  const { send, passPeriod, answered, timers } = await open(MEBIBYTE)
  await send(MEBIBYTE / 4)
  await passPeriod()
  if (bytes > 0) await send(bytes)
  await passPeriod()
  expect(await answered).toBe(408)
  expect(timers.size).toBe(0)
})
