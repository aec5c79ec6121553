import { mkdir, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AppError } from '#lib/contract/faults.ts'
import { nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { openEditions } from './editions.ts'
import {
  createScriptedService,
  DAY,
  down,
  makeFolder,
  range,
  type ScriptedService,
  SUNDAY,
  toCsv,
  toRating,
  WEDNESDAY,
} from './scripted-service.test-support.ts'

const RATINGS = range(1, 100).map((id) => toRating(id))

async function open(service: ScriptedService, change: { dir?: string; keep?: number } = {}) {
  const clock = { at: WEDNESDAY }
  const dir = change.dir ?? (await makeFolder())
  const options = { dir, upstream: service, now: () => clock.at, keep: change.keep }
  return { clock, dir, options, editions: await openEditions(options) }
}

const failing = (fault: string) => expect.objectContaining({ fault })

describe('an edition', () => {
  test('is kept whole, typed and hashed, under the name of its Sunday', async () => {
    const service = createScriptedService({ ratings: RATINGS })
    const { editions, dir } = await open(service)
    const kept = await editions.ensure('posts')
    const text = await readFile(kept.path, 'utf8')
    expect(text).toBe(toCsv(RATINGS))
    expect(kept).toMatchObject({
      edition: SUNDAY,
      fileName: `posts-${SUNDAY}.csv`,
      rows: 100,
      bytes: text.length,
      fetched_at: WEDNESDAY,
      next_due_at: nextEditionAt(WEDNESDAY),
    })
    expect(kept.sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(kept.firstRows).toHaveLength(20)
    const types = Object.fromEntries(kept.columns.map(({ name, type }) => [name, type]))
    expect(types).toMatchObject({ id: 'integer', symbol: 'text', prediction: 'decimal' })
    expect((await readdir(dir)).sort()).toEqual([`posts-${SUNDAY}.csv`, `posts-${SUNDAY}.json`])
  })

  test('of lookups may have any columns', async () => {
    const service = createScriptedService()
    service.dumps.lookups = () => 'wann;was;"wie ""viel"""\n1;"a\nb";0,5\n2;;\n'
    const { editions } = await open(service)
    const kept = await editions.ensure('lookups')
    expect(kept.columns).toEqual([
      { name: 'wann', type: 'integer' },
      { name: 'was', type: 'text' },
      { name: 'wie "viel"', type: 'text' },
    ])
    expect(kept.firstRows).toEqual([
      ['1', 'a\nb', '0,5'],
      ['2', '', ''],
    ])
  })

  test('is refused where a column is missing or comes twice, or where it is no CSV at all', async () => {
    for (const text of [
      toCsv(RATINGS).replace('user_id', 'member'),
      toCsv(RATINGS).replace('user_id', 'symbol'),
      '<!doctype html>\n<p>Maintenance\n',
      '{"success":false}\n',
      '',
    ]) {
      const service = createScriptedService()
      service.dumps.posts = () => text
      const { editions, dir } = await open(service)
      await expect(editions.ensure('posts')).rejects.toThrow(failing('upstream_contract'))
      expect(await readdir(dir)).toEqual([])
    }
  })

  test('with a column that it cannot name apart is refused for lookups too', async () => {
    const service = createScriptedService()
    service.dumps.lookups = () => 'id,id\n1,2\n'
    const { editions } = await open(service)
    await expect(editions.ensure('lookups')).rejects.toThrow(failing('upstream_contract'))
  })
})

describe('a truncated dump', () => {
  const text = toCsv(range(1, 5).map((id) => toRating(id, { symbol: 'Ünï"x' })))
    .replaceAll('Ünï"x', '"Ünï""x"')
    .replaceAll('Initiated', '"In\nitiated"')
  const bytes = new TextEncoder().encode(text)
  const rowEnds = new Set(
    [...text.matchAll(/\d\n(?=\d|$)|date\n/g)].map(
      ({ index, 0: found }) => new TextEncoder().encode(text.slice(0, index + found.length)).length,
    ),
  )

  test('is refused at every byte that is not the end of a row, even the first time', async () => {
    expect(rowEnds.size).toBe(6)
    for (let cut = 0; cut < bytes.length; cut += 1) {
      if (rowEnds.has(cut)) continue
      const service = createScriptedService({ chunk: 7 })
      service.dumps.posts = () => bytes.subarray(0, cut)
      const { editions } = await open(service, { dir: await sharedFolder() })
      await expect(editions.ensure('posts'), `cut at ${cut}`).rejects.toThrow(AppError)
    }
  })

  test('never takes the place of a whole one, wherever it is cut', async () => {
    const service = createScriptedService()
    service.dumps.posts = () => bytes
    const { editions, clock, dir } = await open(service)
    const whole = await editions.ensure('posts')
    for (let cut = 0; cut < bytes.length; cut += 1) {
      clock.at += 7 * DAY
      service.dumps.posts = () => bytes.subarray(0, cut)
      expect(await editions.ensure('posts'), `cut at ${cut}`).toEqual(whole)
    }
    expect((await readdir(dir)).sort()).toEqual([whole.fileName, `posts-${SUNDAY}.json`])
    expect(editions.card('posts').state).toBe('stale')
  })

  test('is noticed by the length that was said, also between two rows', async () => {
    const service = createScriptedService({ ratings: RATINGS })
    const { editions } = await open(service)
    const fetchDump = service.fetchDump
    service.fetchDump = async (kind) => ({ ...(await fetchDump(kind)), totalBytes: 1_000_000 })
    await expect(editions.ensure('posts')).rejects.toThrow(failing('upstream_unavailable'))
  })

  let shared: Promise<string> | null = null
  function sharedFolder() {
    shared ??= makeFolder()
    return shared
  }
})

describe('a dump without a last line break', () => {
  const openEnd = toCsv(RATINGS).trimEnd()

  test('is whole where its length is said', async () => {
    const service = createScriptedService({ saysLength: true })
    service.dumps.posts = () => openEnd
    const { editions } = await open(service)
    expect((await editions.ensure('posts')).rows).toBe(100)
  })

  test('is whole where it comes twice the same', async () => {
    const service = createScriptedService()
    service.dumps.posts = () => openEnd
    const { editions, clock } = await open(service)
    await expect(editions.ensure('posts')).rejects.toThrow(/cut short/)
    clock.at += 60
    expect((await editions.ensure('posts')).rows).toBe(100)
  })
})

test('a dump that lost more than a fiftieth of its rows is not believed, and the card says why', async () => {
  const service = createScriptedService({ ratings: RATINGS })
  const { editions, clock } = await open(service)
  const older = await editions.ensure('posts')
  clock.at += 7 * DAY
  service.ratings = RATINGS.slice(0, 97)
  expect(await editions.ensure('posts')).toBe(older)
  expect(editions.card('posts').reason).toMatch(/97 rows where that of 2026-11-15 has 100/)
  clock.at += 3600
  service.ratings = RATINGS.slice(0, 98)
  expect((await editions.ensure('posts')).rows).toBe(98)
  expect(editions.card('posts')).toMatchObject({ state: 'ready', reason: null })
})

test('the same bytes a week later are not stored twice', async () => {
  const service = createScriptedService({ ratings: RATINGS })
  const { editions, clock, options } = await open(service)
  const first = await editions.ensure('posts')
  clock.at += 7 * DAY
  const second = await editions.ensure('posts')
  expect(second).toMatchObject({ edition: '2026-11-22', fetched_at: clock.at })
  expect(second.sha256).toBe(first.sha256)
  expect((await stat(second.path)).ino).toBe((await stat(first.path)).ino)
  expect((await openEditions(options)).current('posts')).toEqual(second)
})

test('of many editions the newest few stay', async () => {
  const service = createScriptedService({ ratings: [...RATINGS] })
  const { editions, clock, dir } = await open(service, { keep: 2 })
  for (const id of range(101, 105)) {
    service.ratings.push(toRating(id))
    await editions.ensure('posts')
    clock.at += 7 * DAY
  }
  const names = ['2026-12-06', '2026-12-13'].flatMap((day) => [
    `posts-${day}.csv`,
    `posts-${day}.json`,
  ])
  expect((await readdir(dir)).sort()).toEqual(names)
})

describe('fifty visitors', () => {
  test('cost one request, and one that leaves does not end it for the others', async () => {
    const service = createScriptedService({ ratings: RATINGS })
    const { editions } = await open(service)
    const leaving = new AbortController()
    const left = editions.ensure('posts', { signal: leaving.signal })
    const visits = range(1, 50).map(() => editions.ensure('posts'))
    expect(editions.card('posts').state).toBe('fetching')
    leaving.abort()
    await expect(left).rejects.toThrow(failing('busy'))
    expect(new Set(await Promise.all(visits)).size).toBe(1)
    expect(service.requests).toEqual(['posts'])
  })

  test('cost one request when it fails too, and all of them are told why', async () => {
    const service = createScriptedService({ before: () => Promise.reject(down()) })
    const asked: string[] = []
    service.before = (what) => {
      asked.push(what)
      throw down()
    }
    const { editions, clock } = await open(service)
    const ask = () => Promise.allSettled(range(1, 50).map(() => editions.ensure('posts')))
    for (const result of [...(await ask()), ...(await ask())]) {
      expect(result).toMatchObject({ status: 'rejected', reason: { message: down().message } })
    }
    expect(asked).toHaveLength(1)
    expect(editions.card('posts')).toMatchObject({ state: 'failed', reason: down().message })
    clock.at += 59
    await ask()
    expect(asked).toHaveLength(1)
    clock.at += 1
    await ask()
    expect(asked).toHaveLength(2)
  })
})

test('a failure that names its time is kept that long, whoever presses', async () => {
  let asked = 0
  const service = createScriptedService()
  service.before = () => {
    asked += 1
    throw new AppError('budget_spent', 'Spent.', { retryAfterSeconds: 7200 })
  }
  const { editions, clock } = await open(service)
  await expect(editions.ensure('posts')).rejects.toThrow('Spent.')
  clock.at += 7000
  const again = editions.ensure('posts', { pressing: true })
  await expect(again).rejects.toMatchObject({ fault: 'budget_spent', retryAfterSeconds: 200 })
  expect(asked).toBe(1)
  clock.at -= 8 * DAY
  await expect(editions.ensure('posts')).rejects.toThrow('Spent.')
  expect(asked).toBe(2)
})

describe('a folder that a killed run left', () => {
  async function leave() {
    const service = createScriptedService({ ratings: RATINGS })
    const { editions, options, dir, clock } = await open(service)
    const first = await editions.ensure('posts')
    clock.at += 7 * DAY
    service.ratings = [...RATINGS, toRating(101)]
    const second = await editions.ensure('posts')
    const sidecar = join(dir, second.fileName.replace('csv', 'json'))
    return { service, options, dir, first, second, sidecar }
  }

  test('while it downloaded has no part of it when opened again', async () => {
    const { options, dir, second } = await leave()
    await writeFile(join(dir, 'posts.csv.part'), 'id,us')
    await writeFile(join(dir, 'notes.txt'), 'mine')
    const again = await openEditions(options)
    expect(again.current('posts')).toEqual(second)
    const names = await readdir(dir)
    expect(names).not.toContain('posts.csv.part')
    expect(names).toContain('notes.txt')
  })

  test('between file and sidecar has the edition before, and fetches the new one again', async () => {
    const { service, options, dir, first, second, sidecar } = await leave()
    await rm(sidecar)
    const again = await openEditions(options)
    expect(again.current('posts')).toEqual(first)
    expect(await readdir(dir)).not.toContain(second.fileName)
    service.requests.length = 0
    expect((await again.ensure('posts')).sha256).toBe(second.sha256)
    expect(service.requests).toEqual(['posts'])
  })

  test.each([
    ['a file that is shorter than its sidecar says', async (path: string) => truncate(path, 50)],
    ['a sidecar without its file', async (path: string) => rm(path)],
    [
      'a sidecar that is not readable',
      async (path: string) => writeFile(path.replace('csv', 'json'), '{"kind":"posts"'),
    ],
    [
      'a sidecar of another name',
      async (path: string) => rename(path, path.replace('2026-11-22', '2026-11-29')),
    ],
  ])('with %s has the edition before', async (_, damage) => {
    const { options, first, second } = await leave()
    await damage(second.path)
    expect((await openEditions(options)).current('posts')).toEqual(first)
  })

  test('does not fetch again what it has', async () => {
    const { service, options, second } = await leave()
    service.requests.length = 0
    const again = await openEditions(options)
    expect(await again.ensure('posts')).toEqual(second)
    expect(service.requests).toEqual([])
  })
})

test('a folder that cannot be written to is said to be so, and used again when it can', async () => {
  const service = createScriptedService({ ratings: RATINGS })
  const { editions, clock, dir } = await open(service)
  await rm(dir, { recursive: true })
  await expect(editions.ensure('posts')).rejects.toThrow(failing('not_ready'))
  expect(editions.card('posts').reason).toMatch(/could not be written to disk/)
  await mkdir(dir)
  clock.at += 60
  expect((await editions.ensure('posts')).rows).toBe(100)
})

test('an edition whose file somebody took away is fetched again', async () => {
  const service = createScriptedService({ ratings: RATINGS })
  const { editions } = await open(service)
  const { path } = await editions.ensure('posts')
  await rm(path)
  await editions.ensure('posts')
  expect(await readFile(path, 'utf8')).toBe(toCsv(RATINGS))
  expect(service.requests).toEqual(['posts', 'posts'])
})

test('closing ends a fetch, and leaves no part of it', async () => {
  const service = createScriptedService({ ratings: RATINGS })
  const closed = new AbortController()
  service.fetchDump = async (_, { signal } = {}) => {
    signal?.addEventListener('abort', () => closed.abort())
    return { body: endless(closed.signal), totalBytes: null, etag: null, lastModified: null }
  }
  const { editions, dir } = await open(service)
  const ensured = editions.ensure('posts')
  await new Promise(setImmediate)
  await Promise.all([expect(ensured).rejects.toThrow(AppError), editions.close()])
  expect(await readdir(dir)).toEqual([])
})

async function* endless(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(toCsv(RATINGS))
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
  throw signal.reason
}
