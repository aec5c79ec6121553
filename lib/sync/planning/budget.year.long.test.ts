import { expect, test } from 'vitest'
import { HOUR } from '#testing/sync/scripted-service.ts'
import {
  followsOf,
  monthsOf,
  selectGaps,
  selectMissed,
  sentIn,
  toSpan,
} from '#testing/sync/spent-requests.ts'
import { simulate } from '#testing/sync/sync-in-virtual-time.ts'

const YEAR = toSpan('2026-01-01', '2027-01-01')

test('a hundred requests a month, with a restart every five hours, keep both dumps weekly and about three follows a day for a year, evenly, and are never passed', async () => {
  const states = new Set<string>()
  const service = await simulate({
    ...YEAR,
    limit: 100,
    look: (sync) => states.add(sync.state().state),
  })
  for (const month of monthsOf(YEAR)) expect(sentIn(service, month).length).toBeLessThanOrEqual(100)
  expect(service.barred).toEqual([])
  expect(selectMissed(service, YEAR.from, YEAR.to, HOUR)).toEqual([])
  expect(followsOf(service).length / 365).toBeGreaterThan(2.6)
  expect(followsOf(service).length / 365).toBeLessThan(3.2)
  const gaps = selectGaps(followsOf(service).map((one) => one.at))
  expect(Math.max(...gaps)).toBeLessThan(13 * HOUR)
  expect(gaps.filter((gap) => gap < 4 * HOUR).length).toBeLessThan(24)
  expect([...states]).toEqual(['idle'])
})

test.each([5, 1000])('%i a month are never passed in half a year', async (limit) => {
  const span = toSpan('2026-01-30', '2026-07-01')
  const service = await simulate({ ...span, limit, clicks: limit === 5 })
  for (const month of monthsOf(span)) {
    expect(sentIn(service, month).length).toBeLessThanOrEqual(limit)
    expect(sentIn(service, month).length).toBeGreaterThan(limit * 0.7)
  }
  if (limit === 1000) expect(selectMissed(service, span.from, span.to, HOUR)).toEqual([])
})
