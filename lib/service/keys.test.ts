import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { AppError } from '#lib/contract/faults.ts'
import { makeFolder, NOON, openService, type TestService } from '#testing/service/open-service.ts'
import {
  createKeys,
  createLimits,
  KeyProblem,
  type Keys,
  type Limits,
  type StoredKey,
} from './keys.ts'

const openKeys = (dir: string, at = NOON): Keys =>
  createKeys({ dir, now: () => at, sleep: setTimeout })

test('a key is kept as its hash alone, in a file for its owner alone', async () => {
  const dir = join(await makeFolder(), 'not', 'yet')
  const key = await openKeys(dir).create('ops', { perMonth: 100 })
  expect(Buffer.from(key.slice(3), 'base64url').length * 8).toBeGreaterThanOrEqual(128)
  const path = join(dir, 'keys.json')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const text = await readFile(path, 'utf8')
  expect(text).not.toContain(key)
  expect(JSON.parse(text).keys).toEqual([
    {
      name: 'ops',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      created_at: NOON,
      revoked_at: null,
      per_minute: null,
      per_month: 100,
    },
  ])
})

test('what another process does to the keys counts at once', async () => {
  const dir = await makeFolder()
  const [server, commandLine] = [openKeys(dir), openKeys(dir)]
  await expect(server.authenticate('bw_nothing')).rejects.toThrow('unknown')
  const key = await commandLine.create('ops')
  expect((await server.authenticate(key)).name).toBe('ops')
  await commandLine.revoke('ops')
  await expect(server.authenticate(key)).rejects.toThrow('revoked')
})

test('a lock that a killed process left does not last', async () => {
  const dir = await makeFolder()
  await writeFile(join(dir, 'keys.json.lock'), '')
  const later = Math.floor(Date.now() / 1000) + 60
  await openKeys(dir, later).create('ops')
  await expect(stat(join(dir, 'keys.json.lock'))).rejects.toThrow('ENOENT')
})

test('a name is taken for good, and says so', async () => {
  const keys = openKeys(await makeFolder())
  await keys.create('ops')
  await expect(keys.create('ops')).rejects.toThrow(KeyProblem)
  await keys.revoke('ops')
  await expect(keys.revoke('ops')).rejects.toThrow('already revoked')
  await expect(keys.create('ops')).rejects.toThrow('already')
  await expect(keys.revoke('nobody')).rejects.toThrow('no key')
  for (const name of ['', '../x', 'a b', 'x'.repeat(65)]) {
    await expect(keys.create(name)).rejects.toThrow(KeyProblem)
  }
})

test("the dashboard's key stays the same until its file is lost or the key is revoked", async () => {
  const dir = await makeFolder()
  const keys = openKeys(dir)
  const key = await keys.ensure('dashboard', { perMinute: 60 })
  const path = join(dir, 'dashboard.key')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await openKeys(dir).ensure('dashboard')).toBe(key)

  await rm(path)
  const second = await openKeys(dir).ensure('dashboard')
  expect(second).not.toBe(key)
  await expect(keys.authenticate(key)).rejects.toThrow('unknown')

  await keys.revoke('dashboard')
  const third = await keys.ensure('dashboard')
  expect((await keys.authenticate(third)).name).toBe('dashboard')
  expect(await keys.list()).toHaveLength(1)
})

test('a damaged key file refuses everybody rather than nobody', async () => {
  const dir = await makeFolder()
  const keys = openKeys(dir)
  const key = await keys.create('ops')
  await writeFile(join(dir, 'keys.json'), '{"keys": [')
  await expect(keys.authenticate(key)).rejects.toThrow('damaged')
})

const toKey = (per_minute: number | null, per_month: number | null): StoredKey => ({
  name: 'ops',
  sha256: 'a'.repeat(64),
  created_at: 0,
  revoked_at: null,
  per_minute,
  per_month,
})

async function charge(limits: Limits, key: StoredKey, at: number): Promise<number> {
  try {
    await limits.charge(key, at)
    return 0
  } catch (error) {
    if (error instanceof AppError && error.fault === 'rate_limited') {
      return error.retryAfterSeconds ?? Number.NaN
    }
    throw error
  }
}

test('the 61st request within a minute is a 429 that says when to come back', async () => {
  const service = await openService()
  const key = await service.keys.create('ops')
  const get = () => service.handle(new Request(`http://service/api/v1/posts?api_key=${key}`))
  for (let count = 0; count < 60; count += 1) expect((await get()).status).toBe(200)
  service.clock.at += 15
  const refused = await get()
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('45')
  expect((await refused.json()).code).toBe(429)
  service.clock.at += 45
  expect((await get()).status).toBe(200)
})
test('one key spends nothing of another', async () => {
  const limits = await createLimits(await makeFolder())
  const [one, other] = [toKey(1, null), { ...toKey(1, null), sha256: 'b'.repeat(64) }]
  expect(await charge(limits, one, NOON)).toBe(0)
  expect(await charge(limits, one, NOON)).toBe(60)
  expect(await charge(limits, other, NOON)).toBe(0)
})

test('a clock that was set back locks nobody out', async () => {
  const limits = await createLimits(await makeFolder())
  const key = toKey(1, null)
  expect(await charge(limits, key, NOON)).toBe(0)
  expect(await charge(limits, key, NOON - 86_400)).toBe(0)
})

test('a monthly quota outlives a restart and begins anew with the UTC month', async () => {
  const dir = await makeFolder()
  const key = toKey(null, 3)
  const limits = await createLimits(dir)
  await Promise.all([charge(limits, key, NOON), charge(limits, key, NOON)])
  const again = await createLimits(dir)
  expect(await charge(again, key, NOON)).toBe(0)
  expect(await charge(again, key, NOON)).toBe(9.5 * 86_400)
  const restarted = await createLimits(dir)
  expect(await charge(restarted, key, NOON + 60)).toBe(9.5 * 86_400 - 60)
  expect(await charge(restarted, key, NOON + 9.5 * 86_400)).toBe(0)
})

test('a refused request is not counted', async () => {
  const limits = await createLimits(await makeFolder())
  const key = toKey(1, 2)
  expect(await charge(limits, key, NOON)).toBe(0)
  for (let count = 0; count < 5; count += 1) expect(await charge(limits, key, NOON + 1)).toBe(59)
  expect(await charge(limits, key, NOON + 60)).toBe(0)
})

const clientOf = ({ headers }: Request) => headers.get('x-from') ?? ''

const ask = (service: TestService, key: string, from = 'one') => {
  const headers = { authorization: `Bearer ${key}`, 'x-from': from }
  return service.handle(new Request('http://service/service/api/v1/posts', { headers }))
}

const guess = async (service: TestService, times: number, from?: string) => {
  const answers: Response[] = []
  for (let number = 0; number < times; number += 1) {
    answers.push(await ask(service, `wrong-${number}`, from))
  }
  return answers.map(({ status }) => status)
}

test('after ten wrong keys in a minute the next are told when to come again, and a right one is answered all the same', async () => {
  const service = await openService({ clientOf })
  const statuses = await guess(service, 400)
  expect(statuses).toEqual([...Array(10).fill(401), ...Array(390).fill(429)])
  const slowed = await ask(service, 'wrong')
  expect(slowed.headers.get('retry-after')).toBe('60')
  expect(await slowed.json()).toMatchObject({ success: false, error: { type: 'rate_limited' } })
  const right = await service.keys.create('reader')
  expect((await ask(service, right)).status).toBe(200)
  service.clock.at += 60
  expect((await ask(service, 'wrong')).status).toBe(401)
})

test('who guesses from all addresses of an IPv6 network is one client', async () => {
  const service = await openService({ clientOf })
  for (let i = 0; i < 10; i += 1) await ask(service, `wrong-${i}`, `2001:db8::${i}`)
  expect((await ask(service, 'wrong', '2001:db8::ffff')).status).toBe(429)
  expect((await ask(service, 'wrong', '2001:db8:0:1::1')).status).toBe(401)
})
