import { parseAtomFeed } from 'feedsmith'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { editionAt, nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'
import { toPeriod } from './changes.ts'

const HOUR = 3600
const DAY = 24 * HOUR
/** A week of 169 hours: daylight saving ends. */
const LONG_WEEK = Date.UTC(2026, 10, 1, 4) / 1000

describe('a period', () => {
  it('is the last whole week where nothing is asked for', () => {
    const now = LONG_WEEK + 9 * DAY
    expect(toPeriod({ from: null, to: null }, now)).toEqual({
      from: LONG_WEEK,
      to: LONG_WEEK + 169 * HOUR,
    })
  })

  it('has the Sunday before its end, or the one after its beginning, where that is left out', () => {
    const now = LONG_WEEK + 100 * DAY
    const end = LONG_WEEK + 169 * HOUR
    expect(toPeriod({ from: null, to: end }, now)).toEqual({ from: LONG_WEEK, to: end })
    expect(toPeriod({ from: LONG_WEEK, to: null }, now)).toEqual({ from: LONG_WEEK, to: end })
    const within = { from: LONG_WEEK + DAY, to: end }
    expect(toPeriod({ from: within.from, to: null }, now)).toEqual(within)
  })

  it('ends now where its end is to come', () => {
    const now = LONG_WEEK + DAY
    expect(toPeriod({ from: LONG_WEEK, to: null }, now)).toEqual({ from: LONG_WEEK, to: now + 1 })
  })
})

describe('what changed', () => {
  let test: TestApi
  beforeAll(async () => {
    test = await openTestApi({ ratings: 5000 })
    await test.fill()
  })
  afterAll(() => test.close())

  const load = async (query = '') => {
    const response = await test.ask(`/api/changes${query}`)
    return { status: response.status, body: await response.json() }
  }

  it('of two weeks is that of both together, where events are counted', async () => {
    const end = editionAt(test.clock.now)
    const [middle, begin] = [editionAt(end - 1), editionAt(editionAt(end - 1) - 1)]
    const ask = async (from: number, to: number) =>
      (await load(`?from=${iso(from)}&to=${iso(to)}`)).body.data
    const [first, second, both] = [
      await ask(begin, middle),
      await ask(middle, end),
      await ask(begin, end),
    ]
    expect(both.ratings).toBeGreaterThan(0)
    expect(first.ratings + second.ratings).toBe(both.ratings)
    expect([first.active_from, first.active_to, second.active_to]).toEqual([
      both.active_from,
      second.active_from,
      both.active_to,
    ])
    const count = (data: typeof both) =>
      data.events.reduce((sum: number, { events }: { events: number }) => sum + events, 0)
    expect(count(first) + count(second)).toBe(count(both))
  })

  it('is of the week before the instant that stands for now', async () => {
    const asof = editionAt(test.clock.now) - 3 * DAY
    const { body } = await load(`?asof=${iso(asof)}`)
    expect(body.meta.as_of).toBe(asof)
    expect(body.data.to).toBe(editionAt(asof))
    expect(nextEditionAt(body.data.from)).toBe(body.data.to)
  })

  it('of what is to come, or of nothing, is refused with its reason', async () => {
    const next = iso(test.clock.now + DAY)
    expect(await load(`?from=${next}`)).toMatchObject({
      status: 400,
      body: { error: { message: 'from is to come.' } },
    })
    expect((await load(`?from=${next}&to=${next}`)).status).toBe(400)
    expect((await load('?from=yesterday')).status).toBe(400)
  })

  it('week by week is a feed, whose entries lead to their reports', async () => {
    const atom = parseAtomFeed(await (await test.ask('/api/changes.atom')).text())
    expect(atom.entries).toHaveLength(4)
    const [last] = atom.entries ?? []
    const end = editionAt(test.clock.now)
    expect(last?.updated).toBe(iso(end))
    expect(last?.links?.[0]?.href).toBe(
      `https://ratings.example/changes?from=${iso(editionAt(end - 1))}&to=${iso(end)}`,
    )
    const { body } = await load()
    expect(last?.content?.value).toContain(`${body.data.ratings} ratings were posted by`)
    expect(last?.content?.value).toContain(body.data.moves[0].symbol)
    expect((await test.ask('/api/changes.atom?page=2')).status).toBe(400)
  })
})

const iso = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
