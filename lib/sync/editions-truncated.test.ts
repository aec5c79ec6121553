import { describe, expect, test } from 'vitest'
import { AppError } from '#lib/contract/faults.ts'
import { openTestEditions, RATINGS } from './editions.test-support.ts'
import {
  createScriptedService,
  DAY,
  makeFolder,
  range,
  SUNDAY,
  toCsv,
  toRating,
} from './scripted-service.test-support.ts'

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
      const { editions } = await openTestEditions(service, { dir: await sharedFolder() })
      await expect(editions.ensure('posts'), `cut at ${cut}`).rejects.toThrow(AppError)
    }
  })

  test('never takes the place of a whole one, wherever it is cut', async () => {
    const service = createScriptedService()
    service.dumps.posts = () => bytes
    const { editions, clock, names } = await openTestEditions(service)
    const whole = await editions.ensure('posts')
    for (let cut = 0; cut < bytes.length; cut += 1) {
      clock.at += 7 * DAY
      service.dumps.posts = () => bytes.subarray(0, cut)
      expect(await editions.ensure('posts'), `cut at ${cut}`).toEqual(whole)
    }
    const inFront = (await names()).filter((name) => !name.startsWith('aside'))
    expect(inFront).toEqual([whole.fileName, `posts-${SUNDAY}.json`])
    expect(editions.card('posts').state).toBe('stale')
  })

  test('is noticed by the length that was said, also between two rows', async () => {
    const service = createScriptedService({ ratings: RATINGS })
    const { editions } = await openTestEditions(service)
    const fetchDump = service.fetchDump
    service.fetchDump = async (kind) => ({ ...(await fetchDump(kind)), totalBytes: 1_000_000 })
    await expect(editions.ensure('posts')).rejects.toThrow(
      expect.objectContaining({ fault: 'upstream_unavailable' }),
    )
  })

  test('is noticed by its length at any of a thousand places, and the edition before stays served', async () => {
    const whole = new TextEncoder().encode(toCsv(RATINGS))
    const service = createScriptedService({ ratings: RATINGS })
    const { editions, clock, names } = await openTestEditions(service)
    const first = await editions.ensure('posts')
    const { fetchDump } = service
    service.fetchDump = async (kind) => ({ ...(await fetchDump(kind)), totalBytes: whole.length })
    for (let place = 0; place < 1000; place += 1) {
      const cut = Math.floor((place * whole.length) / 1000)
      clock.at += 7 * DAY
      service.dumps.posts = () => whole.subarray(0, cut)
      expect(await editions.ensure('posts'), `cut at ${cut}`).toBe(first)
    }
    expect(await names()).toEqual([first.fileName, `posts-${SUNDAY}.json`])
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
    const { editions } = await openTestEditions(service)
    expect((await editions.ensure('posts')).rows).toBe(100)
  })

  test('is whole where it comes twice the same', async () => {
    const service = createScriptedService()
    service.dumps.posts = () => openEnd
    const { editions, clock } = await openTestEditions(service)
    await expect(editions.ensure('posts')).rejects.toThrow(/cut short/)
    clock.at += 60
    expect((await editions.ensure('posts')).rows).toBe(100)
  })
})
