import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAccess } from '#lib/access/access.ts'
import { parseEnv } from '#lib/server/environment/env.ts'
import { parseDatabaseUrl } from '#lib/store/address.ts'
import { type PostgresServer, startPostgres } from '#testing/store/postgres.ts'
import { beginAccess, selectAccess } from './open-access.ts'
import { openSharedAccess, type SharedAccess } from './shared-access.ts'

const PASSWORD = 'green stapler under water'
const HOME = { from: '198.51.100.7', agent: 'Firefox' }

let server: PostgresServer
let url: string
let other: SharedAccess | undefined
const folders: string[] = []

const makeFolder = () => {
  const dir = mkdtempSync(join(tmpdir(), 'bellwether-open-access-'))
  folders.push(dir)
  return dir
}

beforeAll(async () => {
  server = await startPostgres()
  url = await server.database('nodes')
})
afterAll(async () => {
  await selectAccess()?.close()
  await other?.close()
  await server?.close()
  for (const dir of folders) rmSync(dir, { recursive: true, force: true })
})

async function openOther() {
  const parsed = parseDatabaseUrl(url)
  if (!parsed.ok) throw new Error(parsed.problem)
  other = await openSharedAccess(parsed.address, 'other')
  return await openAccess({
    mode: 'password',
    dir: makeFolder(),
    records: other.records,
    now: () => Date.now() / 1000,
    sleep: async () => undefined,
    limits: { idle: 1000, absolute: 100_000 },
    isOperator: () => false,
    onProblem: (error) => {
      throw error
    },
  })
}

describe('a node in front of which people sign in', () => {
  it('lets nobody in before the shared database could be read once, and then whom others do', async () => {
    const parsed = parseEnv({
      ACCESS: 'password',
      DATA_DIR: makeFolder(),
      DATABASE_URL: url,
      RATINGS_BASE_URL: 'http://127.0.0.1:9',
      RATINGS_API_KEY: 'a-key-of-a-test-0123',
    })
    if (!parsed.ok) throw new Error(parsed.problems.join())
    await server.kill()
    await expect(beginAccess(parsed.env).current()).rejects.toMatchObject({ fault: 'not_ready' })
    expect(selectAccess()).toBeNull()
    await server.start()
    await expect.poll(selectAccess).not.toBeNull()
    const node = selectAccess()
    if (!node) throw new Error('not open')

    const elsewhere = await openOther()
    await elsewhere.accounts.add('ada', 'operator', PASSWORD)
    await elsewhere.refresh()
    const outcome = await elsewhere.signIn({ name: 'ada', password: PASSWORD, ...HOME })
    if (!outcome.ok) throw new Error(outcome.why)
    const { secret: session } = outcome
    await expect.poll(() => node.identify({ session })?.name).toBe('ada')
    await elsewhere.sessions.end(({ name }) => name === 'ada')
    await expect.poll(() => node.identify({ session })).toBeNull()
    await elsewhere.close()
  })
})
