'use client'

import { type KeyboardEvent, useState } from 'react'
import type { Formats } from '#components/format/formats.ts'
import { formatDay } from '#components/format/instant.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { LiveRegion } from '#components/ui/live-region.tsx'
import {
  type ActivityDay,
  pressDayKey,
  toMonthLabels,
  toStep,
  toSteps,
  WEEKS,
} from './activity-weeks.ts'

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
export function ActivityMap({ weeks, name }: { weeks: readonly ActivityDay[][]; name: string }) {
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
