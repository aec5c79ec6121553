import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import type { Rating } from '#lib/contract/rating.ts'
import { claimFolder } from '#lib/server/environment/data-folder.ts'
import { importRows } from '#testing/archive/arbitrary.ts'
import { startHostileServer } from '#testing/hostile-service/hostile-server.ts'
import type { ServiceScript } from '#testing/hostile-service/service-script.ts'
import { range, toRating, WEDNESDAY } from '#testing/sync/scripted-service.ts'
import { runArchive } from '../archive.ts'

const OLD = 'http://old.example/base'
const RATINGS = range(1, 40).map((id) => toRating(id))

async function open(script: Partial<ServiceScript>, held: readonly Rating[] = RATINGS) {
  const dataDir = mkdtempSync(join(tmpdir(), 'bellwether-move-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const now = () => WEDNESDAY
  const archive = await openArchive({ path: join(dataDir, 'archive.duckdb'), now, threads: 1 })
  await importRows(
    archive,
    held.map((rating) => ({ rating, extra: null })),
    WEDNESDAY - 60,
  )
  await archive.close()
  writeFileSync(join(dataDir, 'service.txt'), `${OLD}\n`)
  const service = await startHostileServer({ now }, { key: 'a-key-of-tests', ...script })
  onTestFinished(service.stop)
  const address = new URL(service.url).href
  const move = async (to = address, environment: Record<string, string> = {}) => {
    let text = ''
    const status = await runArchive(['move-service', to], {
      dataDir,
      backupFolder: join(dataDir, 'backups'),
      environment: { RATINGS_API_KEY: 'a-key-of-tests', ...environment },
      print: (line) => {
        text += `${line}\n`
      },
      printError: (line) => {
        text += line
      },
    })
    return { status, text }
  }
  const owner = () => readFileSync(join(dataDir, 'service.txt'), 'utf8').trim()
  return { dataDir, service, address, move, owner }
}

test('keeps the archive for the new address when the same ratings are listed there', async () => {
  const { dataDir, service, address, move, owner } = await open({
    ratings: [...RATINGS, toRating(41)].map((row) => ({ ...row, tally_agree: 7 })),
  })
  const baseUrl = new URL(address)
  expect(() => claimFolder({ dataDir, baseUrl })).toThrow(`archive -- move-service ${address}`)
  const { status, text } = await move()
  expect([status, text]).toEqual([0, expect.stringContaining('9 ratings compared: all equal')])
  expect(owner()).toBe(address)
  expect(() => claimFolder({ dataDir, baseUrl })).not.toThrow()
  expect(service.requests).toHaveLength(1)
  expect(readFileSync(join(dataDir, 'requests.log'), 'utf8').trim().split('\n')).toHaveLength(1)
  expect(await move()).toMatchObject({ status: 0 })
  expect(service.requests).toHaveLength(1)
})

test.each<[string, Partial<ServiceScript>, string]>([
  [
    'other users',
    { ratings: RATINGS.map((row) => ({ ...row, user_id: 99 })) },
    'a different service',
  ],
  [
    'other symbols',
    { ratings: RATINGS.map((row) => ({ ...row, symbol: 'X' })) },
    'a different service',
  ],
  [
    'one other rating',
    { ratings: [...RATINGS.slice(0, 39), toRating(40, { created_at: 7 })] },
    '1 of 10',
  ],
  [
    'no known rating',
    { ratings: range(901, 930).map((id) => toRating(id)) },
    'No rating of the archive',
  ],
  ['no rating', { ratings: [] }, 'No rating of the archive'],
  ['a different key', { ratings: RATINGS, key: 'another' }, 'does not accept the key'],
])('changes nothing when the address lists %s', async (_, script, reason) => {
  const { move, owner } = await open(script)
  const { status, text } = await move()
  expect([status, text]).toEqual([1, expect.stringContaining(reason)])
  expect(owner()).toBe(OLD)
})

test('changes nothing when the address or the key is not usable', async () => {
  const { move, owner } = await open({ ratings: RATINGS })
  expect(await move('ftp://new.example')).toMatchObject({ status: 1 })
  expect(await move(undefined, { RATINGS_API_KEY: '' })).toMatchObject({ status: 1 })
  expect(await move('http://127.0.0.1:1')).toMatchObject({ status: 1 })
  expect(owner()).toBe(OLD)
})
