import { expect, test } from 'vitest'
import { anonymousCaller, type Caller } from '#lib/contract/caller.ts'
import { openTestApi } from '#testing/api/open-api.ts'

test('degraded is no failure: it can serve, and the alarms say what is wrong', async () => {
  const { ask, sync, close } = await openTestApi()
  const alarm = { kind: 'silent', since: 1_795_000_000, message: 'Nobody has rated.' } as const
  expect((await (await ask('/api/health')).json()).data).toMatchObject({ degraded: false })
  sync.alarms = () => [alarm]
  const health = await ask('/api/health')
  expect(health.status).toBe(200)
  expect((await health.json()).data).toMatchObject({
    live: true,
    ready: true,
    degraded: true,
    alarms: [alarm],
  })
  await close()
})

test('a sync that stood still again and again ends the live probe, and the live probe alone', async () => {
  const { ask, sync, close } = await openTestApi()
  const heartbeat = { at: 1_795_000_000, stalled: true, restarts: 2 }
  sync.heartbeat = () => heartbeat
  expect((await ask('/api/health?probe=live')).status).toBe(200)
  heartbeat.restarts = 3
  expect((await ask('/api/health?probe=live')).status).toBe(503)
  expect((await ask('/api/health')).status).toBe(200)
  await close()
})

test('a backup is asked for by a page of ours, and the status says what becomes of it to those who may inspect', async () => {
  const { ask, close } = await openTestApi()
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
  const strange = { ...headers, 'sec-fetch-site': 'cross-site' }
  expect((await ask('/api/backups', { method: 'POST', headers: strange })).status).toBe(403)
  expect((await ask('/api/backups')).status).toBe(405)
  const read = async (caller: Caller = anonymousCaller) => {
    const answer = await ask('/api/status', {}, { caller })
    return (await answer.json()).data.backups
  }
  expect(await read()).toMatchObject({ is_running: false, kept: [] })
  const asked = await ask('/api/backups', { method: 'POST', headers })
  expect(asked.status).toBe(202)
  expect((await asked.json()).data).toMatchObject({ is_running: true })
  expect(await read()).toMatchObject({ is_running: true })
  expect(await read({ ...anonymousCaller, permissions: ['read'] })).toBeNull()
  await close()
})

test('event streams are shared out by account, and by address where nobody signs in', async () => {
  const { ask, close } = await openTestApi()
  const open = async (client: string, name = '') => {
    const { body } = await ask('/api/events', {}, { client, caller: { ...anonymousCaller, name } })
    let hasEnded = false
    void body?.pipeTo(new WritableStream()).then(() => {
      hasEnded = true
    })
    return () => hasEnded
  }
  const oldest = [await open('192.0.2.1', 'ada'), await open('192.0.2.1')]
  const others = [await open('192.0.2.2'), await open('192.0.2.1', 'bob')]
  for (let n = 1; n < 50; n += 1) await open(`198.51.100.${n}`, 'ada')
  for (let n = 1; n < 50; n += 1) await open('192.0.2.1')
  const ended = () => oldest.map((hasEnded) => hasEnded())
  expect(ended()).toEqual([false, false])
  await open('198.51.100.99', 'ada')
  await expect.poll(ended).toEqual([true, false])
  await open('192.0.2.1')
  await expect.poll(ended).toEqual([true, true])
  expect(others.map((hasEnded) => hasEnded())).toEqual([false, false])
  await close()
})
