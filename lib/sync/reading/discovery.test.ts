import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AppError } from '#lib/contract/faults.ts'
import type { Rating } from '#lib/contract/rating.ts'
import { createKeptFile } from '#lib/sync/disk.ts'
import type { Upstream } from '#lib/upstream/upstream.ts'
import { toPage, toReading } from '#testing/sync/page-listing.ts'
import {
  createBareArchive,
  createScriptedService,
  DAY,
  makeFolder,
  range,
  type ScriptedService,
  toRating,
  WEDNESDAY,
} from '#testing/sync/scripted-service.ts'
import {
  createForgetfulDiscovery,
  createPageObserver,
  type KeptDiscovery,
  openDiscovery,
} from './discovery.ts'
import { createDiscovering } from './follow.ts'
import { createPageReader } from './page-reader.ts'

const community = (last: number) => range(1, last).map((id) => toRating(id))

function numberFromZero(service: ScriptedService): ScriptedService {
  const { fetchPage } = service
  service.fetchPage = async (page, options) => await fetchPage(page + 1, options)
  return service
}

function open(service: Upstream, discovery: KeptDiscovery = createForgetfulDiscovery()) {
  const time = { at: WEDNESDAY }
  const now = () => time.at
  const archive = createBareArchive()
  const events: string[] = []
  const onEvent = ({ fields }: { fields: object }) => void events.push(JSON.stringify(fields))
  const observer = createPageObserver({ discovery, upstream: service, now, onEvent })
  const newReading = (signal: AbortSignal) => {
    const pause = async () => undefined
    const reader = createPageReader({ archive, upstream: service, signal, pause, observer })
    const reading = { ...toReading(archive, () => Promise.reject()), ...reader.reading() }
    return { reader, reading }
  }
  const status = { enter: () => undefined }
  const deps = { archive, upstream: service, discovery, observer, newReading, status, now }
  const { signal } = new AbortController()
  return { ...deps, events, time, signal, discovering: createDiscovering(deps) }
}

async function find(rows: Rating[]) {
  const { observer, discovery } = open(createScriptedService())
  await observer.see(toPage(1, rows))
  return discovery.read()
}

const tallied = range(1, 20).map((id) => toRating((id * 7) % 23, { tally_agree: 50 - id }))

describe('the order of a list is read from its rows', () => {
  test.each([
    ['newest', 'id', false, community(20).reverse()],
    ['oldest', 'id', false, community(20)],
    [
      'newest',
      'created_at',
      false,
      range(1, 20).map((at) => toRating((at * 7) % 23, { created_at: 1_790_000_000 - at })),
    ],
    [
      'none',
      'tally_agree',
      true,
      tallied.map((row, at) => ({ ...row, created_at: 1e9 + ((at * 5) % 17) })),
    ],
  ] as const)('%s by %s', async (order, order_key, order_key_moves, rows) => {
    expect(await find([...rows])).toMatchObject({
      order,
      order_key,
      order_key_moves,
      page_size: 20,
    })
  })

  test('and not from too few of them', async () => {
    expect(await find(community(3))).toMatchObject({ order: null, order_key: null })
  })
})

describe('what is found', () => {
  test('is corrected by whatever contradicts it, and that is told', async () => {
    const { observer, discovery, events } = open(createScriptedService())
    await observer.see(toPage(1, community(20).reverse()))
    expect(events).toEqual([])
    await observer.see(toPage(1, community(10)))
    await observer.see(toPage(2, [toRating(30)]))
    expect(discovery.read()).toMatchObject({ order: 'oldest', page_size: 10 })
    expect(events).toEqual([
      '{"name":"order","was":"newest","is":"oldest"}',
      '{"name":"page_size","was":20,"is":10}',
    ])
  })

  test('is held over a restart, and a file that cannot be read is as none', async () => {
    const path = join(await makeFolder(), 'discovery.json')
    const discovery = await openDiscovery(createKeptFile(path))
    await discovery.note({ order: 'oldest', page_size: 40, checked_at: WEDNESDAY })
    await discovery.keep({ asked_at: WEDNESDAY, holes: [7] })
    const again = await openDiscovery(createKeptFile(path))
    expect(again.read()).toEqual(discovery.read())
    expect(again.notes()).toEqual({ asked_at: WEDNESDAY, swept_at: null, holes: [7], unjoined: [] })
    await writeFile(path, (await readFile(path, 'utf8')).slice(0, 30))
    expect((await openDiscovery(createKeptFile(path))).read().order).toBeNull()
  })
})

describe('what only a request of its own shows', () => {
  test.each([
    [1, createScriptedService({ ratings: community(95) })],
    [0, numberFromZero(createScriptedService({ ratings: community(95) }))],
  ])('whether pages count from %d', async (first_page, service) => {
    const { discovering, discovery, signal } = open(service)
    await discovering.discover(signal)
    expect(discovery.read()).toMatchObject({ first_page, past_end: 'empty' })
  })

  test.each([
    ['empty', 'rows'],
    ['not_found', '404'],
    ['error', 'error'],
    ['repeats', 'last'],
  ])('what stands behind the last page: %s', async (past_end, kind) => {
    const service = createScriptedService({ ratings: community(95) })
    const { fetchPage } = service
    service.fetchPage = async (page, options) => {
      if (page <= 10 || kind === 'rows') return await fetchPage(page, options)
      if (kind === 'error') throw new AppError('upstream_contract', 'No such page.')
      if (kind === 'last') return await fetchPage(10, options)
      return { ...toPage(page, []), isNotFound: true }
    }
    const { discovering, discovery, signal } = open(service)
    await discovering.discover(signal)
    expect(discovery.read().past_end).toBe(past_end)
  })

  test('is asked once a month; with a hundred requests in it only of a filled archive, and for two of them', async () => {
    const service = createScriptedService({ ratings: community(95) })
    service.limits.month.limit = 100
    const { discovering, observer, archive, time, signal } = open(service)
    expect(discovering.dueAt()).toBeNull()
    await archive.import({ kind: 'dump', name: 'x' }, async () => ({ completeTo: WEDNESDAY }))
    expect(discovering.dueAt()).toBe(WEDNESDAY)
    await observer.see(await service.fetchPage(1))
    service.requests.length = 0
    expect(await discovering.discover(signal)).toMatchObject({ requests: 2 })
    expect(service.requests).toHaveLength(2)
    expect(discovering.dueAt()).toBe(WEDNESDAY + 30 * DAY)
    service.limits.month.used = 99
    time.at = WEDNESDAY + 40 * DAY
    expect(discovering.dueAt()).toBeGreaterThan(time.at)
  })
})

test('a service that refuses its page 0 by now is asked again which page is the first', async () => {
  const service = numberFromZero(createScriptedService({ ratings: community(95) }))
  const { newReading, signal, discovery } = open(service)
  const { readPage } = newReading(signal).reading
  expect((await readPage(1)).rows).toHaveLength(10)
  const { fetchPage } = createScriptedService({ ratings: community(95) })
  service.fetchPage = async (page, options) => {
    if (page === 0) throw new AppError('upstream_contract', 'No such page.')
    return await fetchPage(page, options)
  }
  await expect(readPage(1)).rejects.toThrow('No such page.')
  const first = await newReading(signal).reading.readPage(1)
  expect(first.rows[0]).toMatchObject({ rating: { id: 95 } })
  expect(discovery.read().first_page).toBe(1)
})
