import type { ChartFacts } from '#components/charts/save/chart-facts.ts'
import { formatDay } from '#components/format/instants.ts'
import type { Meta } from '#lib/contract/answers/envelope.ts'
import type { UserRecord } from '#lib/contract/answers/users.ts'

const DAY = 86_400
export const WEEKS = 53

/** `day` is the start of a UTC day; `count` is null in the future. */
export type ActivityDay = { day: number; count: number | null }

/** 53 weeks, Monday to Sunday; the last contains `at` (seconds since 1970). */
export function toWeeks(activity: UserRecord['activity'], at: number): ActivityDay[][] {
  const counts = new Map(activity.map(({ day, count }) => [day, count]))
  const today = Math.floor(at / DAY)
  // 1970-01-01 was a Thursday.
  const monday = today - ((today + 3) % 7)
  return Array.from({ length: WEEKS }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => {
      const index = monday + 7 * (week - WEEKS + 1) + weekday
      const day = index * DAY
      return { day, count: index > today ? null : (counts.get(day) ?? 0) }
    }),
  )
}

/** Upper bounds of the steps above 0: quarters of the maximum. */
export function toSteps(most: number): number[] {
  const steps = [1, 2, 3, 4].map((quarter) => Math.max(quarter, Math.ceil((most * quarter) / 4)))
  return steps
}

/** 0 for none, otherwise 1 to 4. */
export const toStep = (count: number, steps: readonly number[]): number =>
  count === 0 ? 0 : steps.findIndex((end) => count <= end) + 1

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

export function toMonthLabels(weeks: readonly ActivityDay[][]): { week: number; label: string }[] {
  const labels = weeks.flatMap((days, week) => {
    const first = days.find(({ day }) => new Date(day * 1000).getUTCDate() === 1)
    if (!first) return []
    const date = new Date(first.day * 1000)
    const month = MONTHS[date.getUTCMonth()] ?? ''
    return [{ week, label: month === 'Jan' ? `Jan ${date.getUTCFullYear()}` : month }]
  })
  return labels.filter(({ week }) => week < weeks.length - 1)
}

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

export const ROW_PX = 14
export const GAP_PX = 2.5
export const TOP_PX = 18
export const MAP_PX = TOP_PX + 7 * ROW_PX + 1
export const DAY_PX = ROW_PX - GAP_PX
/** One per step. */
export const OPACITIES = [0, 0.28, 0.5, 0.75, 1]
/** Fraction of a week's width. */
export const DAY_PART = 0.86

/** Vertical lines whose dashes draw the days. */
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

export function selectDayAt(
  weeks: readonly ActivityDay[][],
  { x, y, width }: { x: number; y: number; width: number },
): ActivityDay | undefined {
  const day = weeks[Math.floor((x / width) * weeks.length)]?.[Math.floor((y - TOP_PX) / ROW_PX)]
  return day?.count === null ? undefined : day
}

export function toActivityTotal(weeks: readonly ActivityDay[][]) {
  const counts = weeks.flat().map(({ count }) => count ?? 0)
  return {
    ratings: counts.reduce((sum, count) => sum + count, 0),
    days: counts.filter((count) => count > 0).length,
  }
}

/** Null if the key is not handled. Future days are skipped. */
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
  'Ratings posted on each UTC day in the last 53 weeks, active or not. The four shades are quarters of the busiest day.'

type Displayed = { userId: number; weeks: readonly ActivityDay[][]; meta: Meta }

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
