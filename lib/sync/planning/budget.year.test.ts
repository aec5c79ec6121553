import { describe, expect, test } from 'vitest'
import { DUMP_KINDS, editionAt, nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { nextMonthAt } from '#lib/upstream/ledger.ts'
import { DAY, HOUR, type LimitedService, range } from '#testing/sync/scripted-service.ts'
import { simulate } from '#testing/sync/sync-in-virtual-time.ts'

const at = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1000
const YEAR = { from: at('2026-01-01'), to: at('2027-01-01') }
/** With the clock changes of March, a short month and long ones. */
const HALF = { from: at('2026-01-30'), to: at('2026-06-01') }
const months = range(0, 11).map((month) => Date.UTC(2026, month) / 1000)
const HALF_DAYS = (HALF.to - HALF.from) / DAY
const monthsOf = ({ from, to }: { from: number; to: number }) =>
  months.filter((month) => month >= from && month < to)

const sentIn = ({ sent }: LimitedService, month: number) =>
  sent.filter((one) => nextMonthAt(one.at) === nextMonthAt(month))

const followsOf = ({ sent }: LimitedService) =>
  sent.filter(({ purpose, ok }) => purpose === 'follow' && ok)

/** Sundays whose dump was not answered within so many seconds, as `posts 2026-01-04`. */
function selectMissed({ sent }: LimitedService, from: number, to: number, seconds: number) {
  const missed: string[] = []
  for (let sunday = nextEditionAt(from); sunday + seconds < to; sunday = nextEditionAt(sunday)) {
    for (const kind of DUMP_KINDS) {
      const came = sent.some(
        (one) => one.ok && one.what === kind && one.at >= sunday && one.at < sunday + seconds,
      )
      if (!came) missed.push(`${kind} ${new Date(sunday * 1000).toISOString().slice(0, 10)}`)
    }
  }
  return missed
}

function selectGaps(instants: readonly number[]): number[] {
  return instants.slice(1).map((one, index) => one - (instants[index] ?? one))
}

describe('a hundred requests a month, with a restart every five hours', {
  timeout: 300_000,
}, () => {
  test('keep both dumps weekly and about three follows a day for a year, evenly, and are never passed', async () => {
    const states = new Set<string>()
    const service = await simulate({
      ...YEAR,
      limit: 100,
      look: (sync) => states.add(sync.state().state),
    })
    for (const month of months) expect(sentIn(service, month).length).toBeLessThanOrEqual(100)
    expect(service.barred).toEqual([])
    expect(selectMissed(service, YEAR.from, YEAR.to, HOUR)).toEqual([])
    expect(followsOf(service).length / 365).toBeGreaterThan(2.6)
    expect(followsOf(service).length / 365).toBeLessThan(3.2)
    const gaps = selectGaps(followsOf(service).map((one) => one.at))
    expect(Math.max(...gaps)).toBeLessThan(13 * HOUR)
    expect(gaps.filter((gap) => gap < 4 * HOUR).length).toBeLessThan(24)
    expect([...states]).toEqual(['idle'])
  })

  test('that people click away at all day keep the dumps and the plan: people get their tenth', async () => {
    const service = await simulate({ ...HALF, limit: 100, clicks: true })
    for (const month of monthsOf(HALF)) {
      const sent = sentIn(service, month)
      expect(sent.length).toBeLessThanOrEqual(100)
      expect(sent.filter(({ purpose }) => purpose === 'people').length).toBeLessThanOrEqual(10)
    }
    expect(service.barred.filter(({ purpose }) => purpose !== 'people')).toEqual([])
    expect(selectMissed(service, HALF.from, HALF.to, HOUR)).toEqual([])
    expect(followsOf(service).length / HALF_DAYS).toBeGreaterThan(2.3)
    // What is read for people at once is read for everybody: the plan goes on from there.
    const read = service.sent.filter(({ what }) => what === '1')
    expect(Math.max(...selectGaps(read.map((one) => one.at)))).toBeLessThan(16 * HOUR)
  })

  test('survive outages, by the hour and by the day, Sundays included: each dump still comes, a day later at most', async () => {
    // Down for two hours each night, for all of each 10th, and for the first half of each third Sunday.
    const isDown = (now: number) => {
      const date = new Date(now * 1000)
      const isNight = date.getUTCHours() === 2 || date.getUTCHours() === 3
      const sunday = editionAt(now)
      const isSunday = now - sunday < 12 * HOUR && Math.floor(sunday / (7 * DAY)) % 3 === 0
      return isNight || date.getUTCDate() === 10 || isSunday
    }
    const states = new Set<string>()
    const look = (sync: { state(): { state: string } }) => states.add(sync.state().state)
    const service = await simulate({ ...HALF, limit: 100, isDown, clicks: true, look })
    for (const month of monthsOf(HALF))
      expect(sentIn(service, month).length).toBeLessThanOrEqual(100)
    expect(selectMissed(service, HALF.from, HALF.to, 2 * DAY)).toEqual([])
    expect(followsOf(service).length / HALF_DAYS).toBeGreaterThan(1)
    expect([...states].sort()).toEqual(['idle', 'waiting'])
  })
})

describe('other limits, for four months', { timeout: 300_000 }, () => {
  const SPAN = { from: at('2026-01-30'), to: at('2026-06-01') }

  test.each([30, 1000])('%i a month keep both dumps and are never passed', async (limit) => {
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
    expect([...why].join()).toMatch(/kept for the posts dump/)
  })

  test.each([2, 5])(
    '%i a month are never passed, and the state says that they are spent',
    async (limit) => {
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
    },
  )
})
