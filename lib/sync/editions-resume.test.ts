import { createHash } from 'node:crypto'
import { appendFile, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  createDumpService,
  type DumpService,
  openTestEditions,
  RATINGS,
} from './editions.test-support.ts'
import { DAY, down, toCsv, toRating, WEDNESDAY } from './scripted-service.test-support.ts'

const TEXT = toCsv(RATINGS)
const OTHER = toCsv(RATINGS.map((rating) => ({ ...rating, tally_agree: 7 })))
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** A fetch that broke off after so many bytes. */
async function breakOff(service: DumpService, bytes: number) {
  service.breaksAfter = bytes
  const opened = await openTestEditions(service)
  await expect(opened.editions.ensure('posts')).rejects.toThrow(down().message)
  service.breaksAfter = null
  opened.clock.at += 60
  service.asked.length = 0
  return opened
}

test('a fetch that broke off is gone on with where it ended, also after a restart', async () => {
  for (const restarts of [false, true]) {
    const service = createDumpService({ etag: '"one"' })
    const opened = await breakOff(service, 3333)
    const editions = restarts ? await opened.reopen() : opened.editions
    const kept = await editions.ensure('posts')
    expect(service.asked).toEqual([{ part: 3333, held: null }])
    expect(await readFile(kept.path, 'utf8')).toBe(TEXT)
    expect(kept).toMatchObject({ sha256: sha256(TEXT), rows: 100, fetched_at: WEDNESDAY })
    expect(kept.firstRows[0]?.[0]).toBe('1')
    expect(await opened.names()).toEqual(['posts-2026-11-15.csv', 'posts-2026-11-15.json'])
  }
})

test('wherever it breaks off, and however often, the whole is what the service has', async () => {
  const service = createDumpService({ etag: '"one"' })
  const { editions, clock } = await openTestEditions(service)
  service.breaksAfter = 997
  let tries = 0
  for (; tries < 50; tries += 1) {
    const kept = await editions.ensure('posts', { pressing: true }).catch(() => null)
    clock.at += 60
    if (!kept) continue
    expect(await readFile(kept.path, 'utf8')).toBe(TEXT)
    break
  }
  expect(tries).toBe(Math.ceil(TEXT.length / 997) - 1)
})

test('a dump that was replaced while it downloaded is begun anew, never spliced', async () => {
  const service = createDumpService({ etag: '"one"' })
  const { editions } = await breakOff(service, 3333)
  service.validators = { etag: '"two"', lastModified: null }
  service.dumps.posts = () => OTHER
  const kept = await editions.ensure('posts')
  expect(service.asked).toEqual([{ part: 3333, held: null }])
  expect(await readFile(kept.path, 'utf8')).toBe(OTHER)
  expect(kept.sha256).toBe(sha256(OTHER))
})

test('a service that sends the whole where the rest was asked for is taken at its word', async () => {
  const service = createDumpService({ etag: '"one"' })
  const { editions } = await breakOff(service, 3333)
  service.knowsRanges = false
  expect(await readFile((await editions.ensure('posts')).path, 'utf8')).toBe(TEXT)
})

test.each([
  ['of other validators', { validators: { etag: '"two"', lastModified: null } }],
  ['that begins elsewhere', { from: 3000 }],
  ['of another length', { totalBytes: 5 }],
])('a rest %s is not taken, and the next attempt begins anew', async (_, change) => {
  const service = createDumpService({ etag: '"one"' })
  const { editions, clock } = await breakOff(service, 3333)
  const { fetchDump } = service
  service.fetchDump = async (kind, options) => ({ ...(await fetchDump(kind, options)), ...change })
  await expect(editions.ensure('posts')).rejects.toMatchObject({ fault: 'upstream_contract' })
  service.fetchDump = fetchDump
  clock.at += 3600
  const kept = await editions.ensure('posts')
  expect(service.asked.at(-1)).toEqual({ part: null, held: null })
  expect(kept.sha256).toBe(sha256(TEXT))
})

test.each([
  ['without a validator', null, null],
  ['with a weak one', 'W/"one"', null],
  ['with a second that had not passed yet', null, new Date(WEDNESDAY * 1000).toUTCString()],
])('a part %s is not kept, since nothing tells it from another', async (_, etag, lastModified) => {
  const service = createDumpService({ etag, lastModified })
  const { editions, names } = await breakOff(service, 3333)
  expect(await names()).toEqual([])
  await editions.ensure('posts')
  expect(service.asked).toEqual([{ part: null, held: null }])
})

test.each([
  ['is older than its week', async () => undefined, 7 * DAY],
  ['lost bytes', async (path: string) => await truncate(path, 3000), 0],
  ['holds other bytes', async (path: string) => await writeFile(path, OTHER.slice(0, 3333)), 0],
  ['is not described', async (path: string) => await writeFile(toNote(path), '{"bytes":3}'), 0],
])('a part that %s is thrown away', async (_, damage, seconds) => {
  const service = createDumpService({ etag: '"one"' })
  const opened = await breakOff(service, 3333)
  await damage(join(opened.dir, 'posts.csv.part'))
  opened.clock.at += seconds
  const kept = await (await opened.reopen()).ensure('posts')
  expect(service.asked).toEqual([{ part: null, held: null }])
  expect(kept.sha256).toBe(sha256(TEXT))
})

test('what was written behind the bytes that are known to be whole is cut off', async () => {
  const service = createDumpService({ etag: '"one"' })
  const { editions, dir } = await breakOff(service, 3333)
  await appendFile(join(dir, 'posts.csv.part'), 'torn by a power failure')
  const kept = await editions.ensure('posts')
  expect(service.asked).toEqual([{ part: 3333, held: null }])
  expect(await readFile(kept.path, 'utf8')).toBe(TEXT)
})

test('a dump that is no CSV leaves no part, whatever its validators', async () => {
  const service = createDumpService({ etag: '"one"' })
  service.dumps.posts = () => TEXT.replace('user_id', 'symbol')
  const { editions, names } = await openTestEditions(service)
  await expect(editions.ensure('posts')).rejects.toMatchObject({ fault: 'upstream_contract' })
  expect(await names()).toEqual([])
})

test('a stop in the middle of a fetch costs nothing that came', async () => {
  const service = createDumpService({ etag: '"one"' })
  const stopped = new AbortController()
  const { fetchDump } = service
  const opened = await openTestEditions(service)
  service.fetchDump = async (kind, options) => {
    const download = await fetchDump(kind, options)
    return { ...download, body: untilStopped(download.body, stopped, options?.signal) }
  }
  const ensured = opened.editions.ensure('posts').catch((error: unknown) => error)
  await new Promise((resolve) => stopped.signal.addEventListener('abort', resolve))
  await opened.editions.close()
  expect(await ensured).toBeInstanceOf(Error)
  service.fetchDump = fetchDump
  service.asked.length = 0
  await (await opened.reopen()).ensure('posts')
  expect(service.asked).toEqual([{ part: 2000, held: null }])
})

async function* untilStopped(
  body: AsyncIterable<Uint8Array>,
  reached: AbortController,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  let chunks = 0
  for await (const chunk of body) {
    if (chunks === 2) {
      reached.abort()
      if (!signal?.aborted) {
        await new Promise((resolve) => signal?.addEventListener('abort', resolve))
      }
      throw signal?.reason
    }
    chunks += 1
    yield chunk
  }
}

test('the same dump a week later costs a request and no download', async () => {
  const service = createDumpService({ etag: '"one"' })
  const { editions, clock } = await openTestEditions(service)
  const first = await editions.ensure('posts')
  clock.at += 7 * DAY
  const second = await editions.ensure('posts')
  expect(service.asked.at(-1)).toEqual({ part: null, held: '"one"' })
  expect(second).toMatchObject({ edition: '2026-11-22', unchanged: true, fetched_at: clock.at })
  expect(second.changes).toEqual({ against: '2026-11-15', added: 0, changed: 0, gone: 0 })
  expect((await stat(second.path)).ino).toBe((await stat(first.path)).ino)

  service.validators = { etag: '"two"', lastModified: null }
  service.ratings = [...RATINGS, toRating(101)]
  clock.at += 7 * DAY
  expect(await editions.ensure('posts')).toMatchObject({ rows: 101, unchanged: false })
})

test('bytes that rotted are not taken over into the next week', async () => {
  const service = createDumpService({ etag: '"one"' })
  const { editions, clock } = await openTestEditions(service)
  const { path } = await editions.ensure('posts')
  await writeFile(path, TEXT.replace('AAPL', 'AAPX'))
  clock.at += 7 * DAY
  expect((await editions.ensure('posts')).sha256).toBe(sha256(TEXT))
  expect(service.asked.at(-1)).toEqual({ part: null, held: null })
})

test('asked again in its week, the service says whether it has another by now', async () => {
  const service = createDumpService({ etag: '"one"' })
  const { editions, clock, names } = await openTestEditions(service)
  const first = await editions.ensure('posts')
  clock.at += 3600
  expect(await editions.ensure('posts', { again: true })).toBe(first)
  expect(service.asked.at(-1)).toEqual({ part: null, held: '"one"' })
  service.validators = { etag: '"two"', lastModified: null }
  service.dumps.posts = () => OTHER
  const second = await editions.ensure('posts', { again: true })
  expect(await readFile(second.path, 'utf8')).toBe(OTHER)
  expect(second.edition).toBe(first.edition)
  expect(await names()).toEqual(['posts-2026-11-15.csv', 'posts-2026-11-15.json'])
})

const toNote = (path: string) => path.replace('.csv.part', '.part.json')
