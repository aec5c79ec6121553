import type { ChartFacts } from '#components/charts/save/chart-facts.ts'
import { formatDay } from '#components/format/instants.ts'
import type { Meta } from '#lib/contract/answers/envelope.ts'
import type { UserRecord } from '#lib/contract/answers/users.ts'

const DAY = 86_400
export const WEEKS = 53

/** One day (UTC), by its first instant, and how much was posted on it; null where it is yet to come. */
export type ActivityDay = { day: number; count: number | null }

/** 53 weeks from Monday to Sunday, the last one with the day of `at` (seconds since 1970). */
export function toWeeks(activity: UserRecord['activity'], at: number): ActivityDay[][] {
  const counts = new Map(activity.map(({ day, count }) => [day, count]))
  const today = Math.floor(at / DAY)
  // The first day of 1970 was a Thursday.
  const monday = today - ((today + 3) % 7)
  return Array.from({ length: WEEKS }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => {
      const index = monday + 7 * (week - WEEKS + 1) + weekday
      const day = index * DAY
      return { day, count: index > today ? null : (counts.get(day) ?? 0) }
    }),
  )
}

/** The upper ends of the four steps above nothing: quarters of the busiest day, at least one apart. */
export function toSteps(most: number): number[] {
  const steps = [1, 2, 3, 4].map((quarter) => Math.max(quarter, Math.ceil((most * quarter) / 4)))
  return steps
}

/** 0 for nothing, then 1 to 4. */
export const toStep = (count: number, steps: readonly number[]): number =>
  count === 0 ? 0 : steps.findIndex((end) => count <= end) + 1

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** Where a month begins among the weeks: the first week with its first day in it, and the first week of all. */
export function toMonthLabels(weeks: readonly ActivityDay[][]): { week: number; label: string }[] {
  const labels = weeks.flatMap((days, week) => {
    const first = days.find(({ day }) => new Date(day * 1000).getUTCDate() === 1)
    if (!first) return []
    const date = new Date(first.day * 1000)
    const month = MONTHS[date.getUTCMonth()] ?? ''
    return [{ week, label: month === 'Jan' ? `Jan ${date.getUTCFullYear()}` : month }]
  })
  // No room for one at the very end.
  return labels.filter(({ week }) => week < weeks.length - 1)
}

/** Months with their ratings and active days, the latest first: `2026-11`. */
export function toMonths(weeks: readonly ActivityDay[][]) {
  const months = new Map<string, { ratings: number; days: number }>()
  for (const { day, count } of weeks.flat()) {
    if (count === null) continue
    const month = new Date(day * 1000).toISOString().slice(0, 7)
    const sum = months.get(month) ?? { ratings: 0, days: 0 }
    months.set(month, { ratings: sum.ratings + count, days: sum.days + (count > 0 ? 1 : 0) })
  }
  return [...months].reverse().map(([month, sum]) => ({ month, ...sum }))
}

/** A day with the space below it, that space, and the line of months above all of them. */
export const ROW_PX = 14
export const GAP_PX = 2.5
export const TOP_PX = 18
/** What a day takes of its week, which is as wide as there is room. */
export const DAY_PART = 0.86

/**
 * The days of each step as a path of lines down the weeks, one for each run of such days, by step. `weekWidth` is in
 * units of the drawing, days begin at `top`. A dash for each day makes fields of them.
 */
export function toShadePaths(
  weeks: readonly ActivityDay[][],
  steps: readonly number[],
  { weekWidth, top }: { weekWidth: number; top: number },
): string[] {
  const paths = ['', '', '', '', '']
  for (const [column, week] of weeks.entries()) {
    const shades = week.map(({ count }) => (count === null ? null : toStep(count, steps)))
    for (const [row, shade] of shades.entries()) {
      if (shade === null || shade === shades[row - 1]) continue
      const next = shades.findIndex((other, at) => at > row && other !== shade)
      const length = (next === -1 ? shades.length : next) - row
      const x = Math.round((column + DAY_PART / 2) * weekWidth)
      paths[shade] += `M${x} ${top + row * ROW_PX}v${length * ROW_PX - GAP_PX}`
    }
  }
  return paths
}

/** The day at a place of the drawing; undefined beside the days. */
export function selectDayAt(
  weeks: readonly ActivityDay[][],
  { x, y, width }: { x: number; y: number; width: number },
): ActivityDay | undefined {
  const day = weeks[Math.floor((x / width) * weeks.length)]?.[Math.floor((y - TOP_PX) / ROW_PX)]
  return day?.count === null ? undefined : day
}

/** How many ratings on how many days. */
export function toActivityTotal(weeks: readonly ActivityDay[][]) {
  const counts = weeks.flat().map(({ count }) => count ?? 0)
  return {
    ratings: counts.reduce((sum, count) => sum + count, 0),
    days: counts.filter((count) => count > 0).length,
  }
}

/** Where an arrow key leads among the days that have come: weeks sideways, days up and down. Null where it is none of ours. */
export function pressDayKey(weeks: readonly ActivityDay[][], day: number | null, key: string) {
  const days = weeks.flat().filter(({ count }) => count !== null)
  const last = days.length - 1
  const step = STEPS[key]
  if (step === undefined) return null
  if (day === null) return days[last]?.day ?? null
  const index = days.findIndex((one) => one.day === day)
  return days[Math.min(last, Math.max(0, index + step))]?.day ?? null
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -7,
  ArrowRight: 7,
  ArrowUp: -1,
  ArrowDown: 1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

export const ACTIVITY_RULE =
  'Ratings posted on each UTC day in the 53 whole weeks up to the moment that the page shows, whether they still count or not. The four shades are quarters of the busiest day.'

type Displayed = { userId: number; weeks: readonly ActivityDay[][]; meta: Meta }

/** What the calendar of activity says of itself when it is saved; its rows are its days. */
export function toActivityFacts({ userId, weeks, meta }: Displayed): ChartFacts {
  const days = weeks.flat().filter(({ count }) => count !== null)
  const ends = [days.at(0), days.at(-1)].flatMap((one) => (one ? [formatDay(one.day)] : []))
  return {
    title: `User ${userId}: activity by day`,
    range: ends.join(' to '),
    zone: 'UTC',
    rule: ACTIVITY_RULE,
    asOf: meta.as_of,
    completeTo: meta.complete_to,
    nameParts: [`user-${userId}`, 'activity', ...ends],
    columns: [
      { name: 'day', kind: 'instant' },
      { name: 'ratings', kind: 'number' },
    ],
    rows: days.map(({ day, count }) => [day, count]),
  }
}
