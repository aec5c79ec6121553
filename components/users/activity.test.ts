import { expect, test } from 'vitest'
import {
  pressDayKey,
  selectDayAt,
  toMonthLabels,
  toMonths,
  toShadePaths,
  toStep,
  toSteps,
  toWeeks,
} from './activity.ts'

const DAY = 86_400
const AT = 1_704_294_000
const TODAY = 1_704_240_000

test('53 weeks begin on Mondays and end with the day that the page stands at', () => {
  const weeks = toWeeks([{ day: TODAY, count: 3 }], AT)
  expect(weeks).toHaveLength(53)
  expect(
    weeks.flat().every(({ day }, index, all) => day === (all[0]?.day ?? 0) + index * DAY),
  ).toBe(true)
  expect(new Date((weeks[0]?.[0]?.day ?? 0) * 1000).getUTCDay()).toBe(1)
  expect(weeks[52]?.map(({ count }) => count)).toEqual([0, 0, 3, null, null, null, null])
})

test('four shades are quarters of the busiest day, and one rating is always seen', () => {
  expect(toSteps(20)).toEqual([5, 10, 15, 20])
  expect(toSteps(0)).toEqual([1, 2, 3, 4])
  expect([0, 1, 5, 6, 20].map((count) => toStep(count, toSteps(20)))).toEqual([0, 1, 1, 2, 4])
})

test('months are named where they begin, and summed up for the table', () => {
  const weeks = toWeeks([{ day: TODAY, count: 3 }], AT)
  expect(toMonthLabels(weeks).map(({ label }) => label)).toContain('Feb')
  const months = toMonths(weeks)
  expect(months[0]).toEqual({ month: '2024-01', ratings: 3, days: 1 })
  expect(months).toHaveLength(13)
})

test('arrow keys read the days that have come, and stay among them', () => {
  const weeks = toWeeks([], AT)
  expect(pressDayKey(weeks, null, 'ArrowLeft')).toBe(TODAY)
  expect(pressDayKey(weeks, TODAY, 'ArrowLeft')).toBe(TODAY - 7 * DAY)
  expect(pressDayKey(weeks, TODAY, 'ArrowUp')).toBe(TODAY - DAY)
  expect(pressDayKey(weeks, TODAY, 'ArrowRight')).toBe(TODAY)
  expect(pressDayKey(weeks, TODAY, 'x')).toBeNull()
})

test('days of one shade are lines down their weeks, and a place of the drawing is the day drawn there', () => {
  const weeks = toWeeks([{ day: TODAY - DAY, count: 4 }], AT)
  const last = weeks.slice(-1)
  const paths = toShadePaths(last, toSteps(4), { weekWidth: 100, top: 20 })
  expect(paths).toEqual(['M43 20v11.5M43 48v11.5', '', '', '', 'M43 34v11.5'])
  expect(selectDayAt(last, { x: 50, y: 34, width: 100 })?.count).toBe(4)
  expect(selectDayAt(last, { x: 50, y: 100, width: 100 })).toBeUndefined()
  expect(selectDayAt(last, { x: 50, y: 4, width: 100 })).toBeUndefined()
})
