import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { makeFolder, NOON } from '#testing/service/open-service.ts'
import { createKeys, KeyProblem, type Keys } from './keys.ts'

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

test('keys made at the same time are all kept', async () => {
  const dir = await makeFolder()
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  // Locks are dated by the machine's clock: by one that stands at 0 none is ever old.
  await Promise.all(names.map((name) => openKeys(dir, 0).create(name)))
  expect((await openKeys(dir).list()).map(({ name }) => name).toSorted()).toEqual(names)
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
  await expect(keys.revoke('ops')).rejects.toThrow('revoked already')
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
