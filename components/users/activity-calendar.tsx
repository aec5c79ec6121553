'use client'

import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { LazyDrawing, lazyDrawing } from '#components/charts/lazy-drawing.tsx'
import { formatDay } from '#components/format/instants.ts'
import { formatCount, formatCounted } from '#components/format/numbers.ts'
import { LiveRegion } from '#components/ui/messages.tsx'
import { Cell, HeaderCell, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import {
  type ActivityDay,
  DAY_PART,
  DAY_PX,
  MAP_PX,
  OPACITIES,
  pressDayKey,
  ROW_PX,
  selectDayAt,
  TOP_PX,
  toActivityTotal,
  toMonthLabels,
  toMonths,
  toSteps,
  WEEKS,
} from './activity.ts'

type ActivityAreaProps = { name: string; weeks: readonly ActivityDay[][]; isTable: boolean }

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

export function ActivityTotal({ weeks }: Pick<ActivityAreaProps, 'weeks'>) {
  const { ratings, days } = toActivityTotal(weeks)
  return `${formatCounted(ratings, 'rating')} on ${formatCounted(days, 'day')} in ${formatCounted(weeks.length, 'week')}`
}

function MonthTable({ weeks, name }: Pick<ActivityAreaProps, 'weeks' | 'name'>) {
  return (
    <TableFrame aria-label={name} className="max-h-64 overflow-y-auto">
      <Table compact aria-label={name}>
        <TableHead className="sticky top-0 bg-surface">
          <HeaderCell>Month, UTC</HeaderCell>
          <HeaderCell numeric>Ratings</HeaderCell>
          <HeaderCell numeric>Days with ratings</HeaderCell>
        </TableHead>
        <tbody>
          {toMonths(weeks).map(({ month, ratings, days }) => (
            <tr key={month}>
              <th className="pr-2.5 pl-4 text-left font-normal" scope="row">
                {month}
              </th>
              <Cell numeric>{formatCount(ratings)}</Cell>
              <Cell numeric>{formatCount(days)}</Cell>
            </tr>
          ))}
        </tbody>
      </Table>
    </TableFrame>
  )
}

const WEEK_PERCENT = 100 / WEEKS

const toText = ({ day, count }: ActivityDay) =>
  `${formatDay(day)}: ${count === 0 ? 'no rating' : formatCounted(count ?? 0, 'rating')}`

const shades = lazyDrawing(async () => (await import('./activity-shades.tsx')).Shades)

function ActivityMap({ weeks, name }: { weeks: readonly ActivityDay[][]; name: string }) {
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
    setSpoken(read ? toText(read) : '')
  }
  const onPoint = ({ clientX, clientY, currentTarget }: PointerEvent) => {
    const { left, top, width } = currentTarget.getBoundingClientRect()
    const place = { x: clientX - left, y: clientY - top, width }
    setChosen(selectDayAt(weeks, place)?.day ?? null)
  }
  return (
    <div className="flex flex-col gap-1">
      <div className="flex" data-pane>
        <Weekdays />
        <div
          aria-label={`${name}: arrow keys move between days`}
          className="relative min-w-0 grow rounded-sm"
          onKeyDown={onKeyDown}
          onPointerDown={onPoint}
          onPointerLeave={({ pointerType }) => pointerType !== 'touch' && setChosen(null)}
          onPointerMove={onPoint}
          role="application"
          style={{ height: MAP_PX }}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move between the days
          tabIndex={0}
        >
          <LazyDrawing drawing={shades} drawn={{ weeks, steps }} of={weeks} />
          <svg className="absolute inset-0 size-full overflow-visible" role="presentation">
            <Months weeks={weeks} />
            {current && <Chosen index={days.indexOf(current)} />}
          </svg>
        </div>
      </div>
      <p
        aria-hidden
        className="flex flex-wrap items-center justify-between gap-x-4 text-sm text-ink-3"
      >
        <span>{current ? toText(current) : 'Point at a day, or move with the arrow keys.'}</span>
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

const Months = ({ weeks }: { weeks: readonly ActivityDay[][] }) => (
  <g aria-hidden className="fill-ink-3 text-[0.625rem]">
    {toMonthLabels(weeks).map(({ week, label }) => (
      <text key={label} x={`${toHundredths(week * WEEK_PERCENT)}%`} y={11}>
        {label}
      </text>
    ))}
  </g>
)

const toHundredths = (value: number) => Math.round(value * 100) / 100

const Chosen = ({ index }: { index: number }) => (
  <rect
    className="fill-none stroke-ink"
    height={DAY_PX}
    rx={2}
    strokeWidth={1.5}
    width={`${WEEK_PERCENT * DAY_PART}%`}
    x={`${Math.floor(index / 7) * WEEK_PERCENT}%`}
    y={TOP_PX + (index % 7) * ROW_PX + 1}
  />
)

function Scale({ steps, most }: { steps: readonly number[]; most: number }) {
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
