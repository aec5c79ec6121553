'use client'

import { type KeyboardEvent, useState } from 'react'
import type { ChartFacts } from '#components/charts/save/chart-facts.ts'
import { formatDay } from '#components/format/instants.ts'
import type { Formats } from '#components/format/numbers.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { LiveRegion } from '#components/ui/messages.tsx'
import { Cell, HeaderCell, Row, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import type { Meta } from '#lib/contract/answers/envelope.ts'
import type { UserRecord } from '#lib/contract/answers/user-record.ts'

type ActivityAreaProps = { name: string; weeks: readonly ActivityDay[][]; isTable: boolean }

/** A year of activity as a calendar, or by month as a table; what it comes to is said to whoever sees neither. */
export function ActivityArea({ name, weeks, isTable }: ActivityAreaProps) {
  return (
    <>
      <p className="sr-only">
        {name}: <ActivityTotal weeks={weeks} />.
      </p>
      {isTable ? (
        <MonthTable name={name} weeks={weeks} />
      ) : (
        <ActivityMap name={name} weeks={weeks} />
      )}
    </>
  )
}

/** `110 ratings on 92 days in 53 weeks`. */
export function ActivityTotal({ weeks }: Pick<ActivityAreaProps, 'weeks'>) {
  const { formatCounted } = useFormats()
  const { ratings, days } = toActivityTotal(weeks)
  return `${formatCounted(ratings, 'rating')} on ${formatCounted(days, 'day')} in ${formatCounted(weeks.length, 'week')}`
}

function MonthTable({ weeks, name }: Pick<ActivityAreaProps, 'weeks' | 'name'>) {
  const { formatCount } = useFormats()
  return (
    <TableFrame aria-label={name} className="max-h-64 overflow-y-auto">
      <Table aria-label={name}>
        <TableHead className="sticky top-0 bg-surface">
          <HeaderCell>Month, UTC</HeaderCell>
          <HeaderCell numeric>Ratings</HeaderCell>
          <HeaderCell numeric>Days with ratings</HeaderCell>
        </TableHead>
        <tbody>
          {toMonths(weeks).map(({ month, ratings, days }) => (
            <Row key={month} compact>
              <th className="pr-2.5 pl-4 text-left font-normal" scope="row">
                {month}
              </th>
              <Cell numeric>{formatCount(ratings)}</Cell>
              <Cell numeric>{formatCount(days)}</Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </TableFrame>
  )
}

const DAY = 86_400
const WEEKS = 53

/** One day (UTC), by its first instant, and how much was posted on it; null where it is yet to come. */
type ActivityDay = { day: number; count: number | null }

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

/** How many ratings on how many days. */
function toActivityTotal(weeks: readonly ActivityDay[][]) {
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

/** A day with the space below it, and the line of months above all of them. */
const ROW_PX = 14
const DAY_PX = 11.5
const TOP_PX = 18
/** A week with the space beside it, in percent of all weeks: the year is as wide as there is room. */
const WEEK_PART = 100 / WEEKS
const DAY_PART = WEEK_PART * 0.86
const OPACITIES = [0, 0.28, 0.5, 0.75, 1]

const toText = ({ day, count }: ActivityDay, { formatCounted }: Formats) =>
  `${formatDay(day)}: ${count === 0 ? 'no rating' : formatCounted(count ?? 0, 'rating')}`

/** Where there is no room for all of it, the latest weeks are in sight. */
function showLatest(section: HTMLElement | null) {
  if (section) section.scrollLeft = section.scrollWidth
}

/** A year of days, each a field that is the darker the more was posted. Arrow keys read them. */
function ActivityMap({ weeks, name }: { weeks: readonly ActivityDay[][]; name: string }) {
  const formats = useFormats()
  const [chosen, setChosen] = useState<number | null>(null)
  const [spoken, setSpoken] = useState('')
  const days = weeks.flat()
  const most = Math.max(0, ...days.map(({ count }) => count ?? 0))
  const steps = toSteps(most)
  const current = days.find(({ day }) => day === chosen)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'Escape') return setChosen(null)
    const next = pressDayKey(weeks, chosen, event.key)
    if (next === null) return
    event.preventDefault()
    setChosen(next)
    const read = days.find(({ day }) => day === next)
    setSpoken(read ? toText(read, formats) : '')
  }
  return (
    <div className="flex flex-col gap-1">
      <section
        ref={showLatest}
        aria-label={`${name}, scrollable`}
        className="overflow-x-auto [scrollbar-width:thin]"
      >
        <div className="flex min-w-[720px]" data-pane>
          <Weekdays />
          <svg
            aria-label={`${name}: arrow keys move between days`}
            className="block min-w-0 grow rounded-sm"
            height={TOP_PX + 7 * ROW_PX + 1}
            onKeyDown={onKeyDown}
            onPointerLeave={() => setChosen(null)}
            role="application"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move between the days
            tabIndex={0}
          >
            <Months weeks={weeks} />
            {weeks.map((week, column) =>
              week.map(({ day, count }, row) =>
                count === null ? null : (
                  <Day
                    key={day}
                    column={column}
                    isChosen={day === chosen}
                    onPoint={() => setChosen(day)}
                    row={row}
                    step={toStep(count, steps)}
                  />
                ),
              ),
            )}
          </svg>
        </div>
      </section>
      <p
        aria-hidden
        className="flex flex-wrap items-center justify-between gap-x-4 text-sm text-ink-3"
      >
        <span>
          {current ? toText(current, formats) : 'Point at a day, or move with the arrow keys.'}
        </span>
        <Scale steps={steps} most={most} />
      </p>
      <LiveRegion message={spoken} />
    </div>
  )
}

const Weekdays = () => (
  <div
    aria-hidden
    className="w-[30px] shrink-0 text-[0.625rem] text-ink-3"
    style={{ paddingTop: TOP_PX }}
  >
    {['Mon', 'Wed', 'Fri'].map((label) => (
      <p key={label} style={{ height: 2 * ROW_PX, lineHeight: `${ROW_PX}px` }}>
        {label}
      </p>
    ))}
  </div>
)

/** Above the weeks in which they begin. */
const Months = ({ weeks }: { weeks: readonly ActivityDay[][] }) => (
  <g aria-hidden className="fill-ink-3 text-[0.625rem]">
    {toMonthLabels(weeks).map(({ week, label }) => (
      <text key={label} x={`${week * WEEK_PART}%`} y={11}>
        {label}
      </text>
    ))}
  </g>
)

type DayProps = {
  column: number
  row: number
  step: number
  isChosen: boolean
  onPoint: () => void
}

function Day({ column, row, step, isChosen, onPoint }: DayProps) {
  return (
    <rect
      className={step === 0 ? 'fill-line' : 'fill-accent'}
      fillOpacity={step === 0 ? undefined : OPACITIES[step]}
      height={DAY_PX}
      onPointerEnter={onPoint}
      rx={2}
      stroke={isChosen ? 'var(--ink)' : 'none'}
      strokeWidth={1.5}
      width={`${DAY_PART}%`}
      x={`${column * WEEK_PART}%`}
      y={TOP_PX + row * ROW_PX + 1}
    />
  )
}

/** What the five steps stand for. */
function Scale({ steps, most }: { steps: readonly number[]; most: number }) {
  const { formatCount } = useFormats()
  return (
    <span className="inline-flex items-center gap-1" data-pane="legend">
      0
      {OPACITIES.map((opacity, step) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
          key={step}
          className={
            step === 0
              ? 'size-2.5 rounded-xs forced-color-adjust-none bg-line'
              : 'size-2.5 rounded-xs forced-color-adjust-none bg-accent'
          }
          style={step === 0 ? undefined : { opacity }}
        />
      ))}
      {formatCount(Math.max(most, steps.at(-1) ?? 4))} a day
    </span>
  )
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
