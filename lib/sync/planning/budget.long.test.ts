import { describe, expect, test } from 'vitest'
import { editionAt } from '#lib/contract/weekly-clock.ts'
import { DAY, HOUR } from '#testing/sync/scripted-service.ts'
import {
  followsOf,
  monthsOf,
  selectGaps,
  selectMissed,
  sentIn,
  toSpan,
} from '#testing/sync/spent-requests.ts'
import { simulate } from '#testing/sync/sync-in-virtual-time.ts'

const SPAN = toSpan('2026-01-30', '2026-04-01')
const WHOLE = toSpan('2026-02-01', '2026-04-01')
const DAYS = (SPAN.to - SPAN.from) / DAY

describe('a hundred requests a month, with a restart every five hours', () => {
  test('keep both dumps weekly and about three follows a day, evenly, and are never passed', async () => {
    const states = new Set<string>()
    const service = await simulate({
      ...WHOLE,
      limit: 100,
      look: (sync) => states.add(sync.state().state),
    })
    for (const month of monthsOf(WHOLE))
      expect(sentIn(service, month).length).toBeLessThanOrEqual(100)
    expect(service.barred).toEqual([])
    expect(selectMissed(service, WHOLE.from, WHOLE.to, HOUR)).toEqual([])
    expect(followsOf(service).length / 59).toBeGreaterThan(2.6)
    expect(followsOf(service).length / 59).toBeLessThan(3.2)
    const gaps = selectGaps(followsOf(service).map((one) => one.at))
    expect(Math.max(...gaps)).toBeLessThan(13 * HOUR)
    expect(gaps.filter((gap) => gap < 4 * HOUR).length).toBeLessThanOrEqual(4)
    expect([...states]).toEqual(['idle'])
  })

  test('that people click away at all day keep the dumps and the plan: people get their tenth', async () => {
    const service = await simulate({ ...SPAN, limit: 100, clicks: true })
    for (const month of monthsOf(SPAN)) {
      const sent = sentIn(service, month)
      expect(sent.length).toBeLessThanOrEqual(100)
      expect(sent.filter(({ purpose }) => purpose === 'people').length).toBeLessThanOrEqual(10)
    }
    expect(service.barred.filter(({ purpose }) => purpose !== 'people')).toEqual([])
    expect(selectMissed(service, SPAN.from, SPAN.to, HOUR)).toEqual([])
    expect(followsOf(service).length / DAYS).toBeGreaterThan(2.3)
    const read = service.sent.filter(({ what }) => what === '1')
    expect(Math.max(...selectGaps(read.map((one) => one.at)))).toBeLessThan(16 * HOUR)
  })

  test('survive outages, by the hour and by the day, Sundays included: each dump still comes, a day later at most', async () => {
    const isDown = (now: number) => {
      const date = new Date(now * 1000)
      const isNight = date.getUTCHours() === 2 || date.getUTCHours() === 3
      const sunday = editionAt(now)
      const isSunday = now - sunday < 12 * HOUR && Math.floor(sunday / (7 * DAY)) % 3 === 0
      return isNight || date.getUTCDate() === 10 || isSunday
    }
    const states = new Set<string>()
    const look = (sync: { state(): { state: string } }) => states.add(sync.state().state)
    const service = await simulate({ ...SPAN, limit: 100, isDown, clicks: true, look })
    for (const month of monthsOf(SPAN))
      expect(sentIn(service, month).length).toBeLessThanOrEqual(100)
    expect(selectMissed(service, SPAN.from, SPAN.to, 2 * DAY)).toEqual([])
    expect(followsOf(service).length / DAYS).toBeGreaterThan(1)
    expect([...states].sort()).toEqual(['idle', 'waiting'])
  })
})

describe('other limits', () => {
  test.each([30, 300])('%i a month keep both dumps and are never passed', async (limit) => {
    const service = await simulate({ ...SPAN, limit })
    for (const month of monthsOf(SPAN)) {
      const { length } = sentIn(service, month)
      expect(length).toBeLessThanOrEqual(limit)
      expect(length).toBeGreaterThan(limit * 0.8)
    }
    expect(selectMissed(service, SPAN.from, SPAN.to, HOUR)).toEqual([])
  })

  test('ten a month keep each posts dump, and give up lookups before it', async () => {
    const why = new Set<string>()
    const service = await simulate({
      ...SPAN,
      limit: 10,
      look: (sync) => {
        for (const { move, at: when, why: reason } of sync.plan()) {
          if (move === 'lookups' && when === null) why.add(reason)
        }
      },
    })
    for (const month of monthsOf(SPAN))
      expect(sentIn(service, month).length).toBeLessThanOrEqual(10)
    const missed = selectMissed(service, SPAN.from, SPAN.to, HOUR)
    expect(missed.filter((one) => one.startsWith('posts'))).toEqual([])
    expect([...why].join()).toMatch(/reserved for the posts dump/)
  })

  test('two a month are never passed, and the state says that they are spent', async () => {
    const limit = 2
    const states = new Map<string, string | null>()
    const service = await simulate({
      ...SPAN,
      limit,
      clicks: true,
      look: (sync) => states.set(sync.state().state, sync.state().reason),
    })
    for (const month of monthsOf(SPAN)) {
      const sent = sentIn(service, month)
      expect(sent.length).toBeLessThanOrEqual(limit)
      expect(sent.some(({ what }) => what === 'posts')).toBe(true)
    }
    expect(states.get('waiting')).toMatch(/requests of this month/)
  })
})
