import { expect, test } from 'vitest'
import { makeRating, makeRatings } from '#testing/make-ratings.ts'
import * as faults from './faults.ts'
import { createHostileService } from './hostile-service.ts'
import type { ServiceScript } from './service-script.ts'

const BASE = 'http://service/base'

function open(script: Partial<ServiceScript> = {}) {
  const clock = { at: 1_790_000_000 }
  const service = createHostileService(
    { now: () => clock.at, toBreak: () => new Error('broken') },
    { ratings: makeRatings(1, 25), ...script },
  )
  const ask = (path: string, headers: Record<string, string> = {}) =>
    service.handle(new Request(`${BASE}${path}`, { headers }))
  const ids = async (path: string): Promise<number[]> => {
    const { data } = await (await ask(path)).json()
    return data.map((row: { id: number }) => row.id)
  }
  return { service, clock, ask, ids }
}

const POSTS = '/api/v1/posts'
const DUMP = '/api/v1/posts/dumps'

test('pages hold each rating once, in the order, of the size and from the number that the script says', async () => {
  const { service, ids } = open()
  expect(await ids(POSTS)).toEqual([25, 24, 23, 22, 21, 20, 19, 18, 17, 16])
  expect(await ids(`${POSTS}?page=3`)).toEqual([5, 4, 3, 2, 1])
  service.order = 'oldest'
  service.pageSize = 3
  expect(await ids(`${POSTS}?page=1`)).toEqual([1, 2, 3])
  service.firstPage = 0
  expect(await ids(POSTS)).toEqual([1, 2, 3])
  expect(await ids(`${POSTS}?page=1`)).toEqual([4, 5, 6])
  service.order = (a, b) => b.tally_agree - a.tally_agree
  service.ratings[9] = makeRating(10, { tally_agree: 999 })
  expect((await ids(`${POSTS}?page=0`))[0]).toBe(10)
  service.order = 'shuffled'
  const pages = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7, 8].map((n) => ids(`${POSTS}?page=${n}`)))
  expect(pages.flat().toSorted((a, b) => a - b)).toEqual(makeRatings(1, 25).map(({ id }) => id))
  expect(pages.flat()).not.toEqual(pages.flat().toSorted((a, b) => a - b))
})

test('what lies past the end is as the script says', async () => {
  const { service, ask, ids } = open()
  const past = `${POSTS}?page=9`
  expect(await ids(past)).toEqual([])
  service.pastEnd = 'repeats'
  expect(await ids(past)).toEqual([5, 4, 3, 2, 1])
  service.pastEnd = 'not_found'
  expect((await ask(past)).status).toBe(404)
  service.pastEnd = 'error'
  expect((await ask(past)).status).toBe(400)
})

test('a page or a dump that has not changed is a 304 to whoever names it, and whole again once it has', async () => {
  const { service, ask } = open({ pageValidators: 'etag', dumpValidators: 'both' })
  const page = (await ask(POSTS)).headers.get('etag') ?? ''
  const dump = await ask(DUMP)
  const etag = dump.headers.get('etag') ?? ''
  const since = { 'if-modified-since': dump.headers.get('last-modified') ?? '' }
  expect((await ask(POSTS, { 'if-none-match': page })).status).toBe(304)
  expect((await ask(DUMP, { 'if-none-match': etag })).status).toBe(304)
  expect((await ask(DUMP, since)).status).toBe(304)
  service.ratings.push(makeRating(26))
  service.dumpsMadeAt += 1
  expect((await ask(POSTS, { 'if-none-match': page })).status).toBe(200)
  expect((await ask(DUMP, { 'if-none-match': etag })).status).toBe(200)
  expect((await ask(DUMP, since)).status).toBe(200)
})

test('a part joins what is held of the same dump, and only of the same', async () => {
  const { service, ask } = open({ dumpValidators: 'etag', ranges: 'honoured' })
  const whole = await ask(DUMP)
  const etag = whole.headers.get('etag') ?? ''
  const text = await whole.text()
  const part = await ask(DUMP, { range: 'bytes=100-', 'if-range': etag })
  expect([part.status, part.headers.get('content-range')]).toEqual([
    206,
    `bytes 100-${text.length - 1}/${text.length}`,
  ])
  expect(await part.text()).toBe(text.slice(100))
  service.ratings.pop()
  const other = await ask(DUMP, { range: 'bytes=100-', 'if-range': etag })
  expect(other.status).toBe(200)
  service.ranges = 'blind'
  expect((await ask(DUMP, { range: 'bytes=100-', 'if-range': etag })).status).toBe(206)
  service.ranges = 'shifted'
  const shifted = await ask(DUMP, { range: 'bytes=100-' })
  expect(shifted.headers.get('content-range')).toMatch(/^bytes 99-/)
  service.ranges = 'refused'
  expect((await ask(DUMP, { range: 'bytes=100-' })).status).toBe(416)
})

test('a dump has the columns, line ends and mark that the script says', async () => {
  const { service, ask } = open({ ratings: [makeRating(1, { symbol: 'A,"B"' })] })
  service.layout = { columns: ['symbol', 'note', 'id'], newline: '\r\n', bom: true }
  const text = Buffer.from(await (await ask(DUMP)).arrayBuffer()).toString('utf8')
  expect(text).toBe('\ufeffsymbol,note,id\r\n"A,""B""",,1\r\n')
})

test('past its limits it answers 429 and says when to come again, in the words of the script', async () => {
  const { service, clock, ask } = open({ limits: { perMinute: 2, perMonth: 4 } })
  const statuses = async (count: number) => {
    const given = []
    for (let n = 0; n < count; n += 1) given.push((await ask(POSTS)).status)
    return given
  }
  expect(await statuses(3)).toEqual([200, 200, 429])
  service.toRetryAfter = (seconds) => new Date((clock.at + seconds) * 1000).toUTCString()
  expect((await ask(POSTS)).headers.get('retry-after')).toBe('Mon, 21 Sep 2026 14:14:20 GMT')
  clock.at += 61
  expect(await statuses(1)).toEqual([429])
  expect([service.count(), service.count('posts'), service.mostWithin(60)]).toEqual([5, 0, 4])
  service.toRetryAfter = () => null
  expect((await ask(POSTS)).headers.get('retry-after')).toBeNull()
})

test('a key is asked for in the address or in the header, and a wrong one is repeated', async () => {
  const { ask } = open({ key: 'right-key' })
  expect((await ask(`${POSTS}?api_key=right-key`)).status).toBe(200)
  expect((await ask(POSTS, { authorization: 'Bearer right-key' })).status).toBe(200)
  const refused = await ask(`${POSTS}?api_key=wrong-key`)
  expect([refused.status, await refused.text()]).toEqual([
    401,
    expect.stringContaining('wrong-key'),
  ])
})

test('faults come in turn, newest first, only where and as often as they were told', async () => {
  const { service, ask } = open()
  const statuses = async (...paths: string[]) => {
    const given = []
    for (const path of paths) given.push((await ask(path)).status)
    return given
  }
  const end = service.misbehave(faults.status(503))
  service.misbehave(faults.status(404), { times: 1 })
  service.misbehave(faults.status(500), { on: ['posts'], times: 1 })
  expect(await statuses(POSTS, DUMP, DUMP)).toEqual([404, 500, 503])
  end()
  expect(await statuses(POSTS, DUMP)).toEqual([200, 200])
  service.misbehave(faults.status(503))
  service.behave()
  expect(await statuses(POSTS)).toEqual([200])
  expect(service.requests.map(({ status }) => status)).toEqual([404, 500, 503, 200, 200, 200])
})

test('a body that breaks off throws what the transport is to throw, one that ends early ends', async () => {
  const { service, ask } = open()
  service.misbehave(faults.cut(100), { times: 1 })
  await expect((await ask(DUMP)).text()).rejects.toThrow('broken')
  service.misbehave(faults.cut(100, 'end'), { times: 1 })
  expect(await (await ask(DUMP)).text()).toHaveLength(100)
  service.misbehave(faults.reset(), { times: 1 })
  await expect(ask(DUMP)).rejects.toThrow('broken')
})

test('silence lasts until whoever asked gives up', async () => {
  const { service } = open()
  service.misbehave(faults.silence())
  const giving = new AbortController()
  const answer = service.handle(new Request(`${BASE}${POSTS}`, { signal: giving.signal }))
  giving.abort(new Error('gave up'))
  await expect(answer).rejects.toThrow('gave up')
})
