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

/** A square and the space around it. */
const CELL_PX = 13
const SQUARE_PX = 10.5
const LEFT_PX = 30
const TOP_PX = 18
const OPACITIES = [0, 0.28, 0.5, 0.75, 1]

const toText = ({ day, count }: ActivityDay, { formatCounted }: Formats) =>
  `${formatDay(day)}: ${count === 0 ? 'no rating' : formatCounted(count ?? 0, 'rating')}`

/** Where there is no room for all of it, the latest weeks are in sight. */
function showLatest(section: HTMLElement | null) {
  if (section) section.scrollLeft = section.scrollWidth
}

/** A year of days, each a square that is the darker the more was posted. Arrow keys read them. */
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
    <div className="flex max-w-[722px] flex-col gap-1">
      <section
        ref={showLatest}
        aria-label={`${name}, scrollable`}
        className="overflow-x-auto [scrollbar-width:thin]"
      >
        <svg
          aria-label={`${name}: arrow keys move between days`}
          className="block rounded-sm"
          data-pane
          height={TOP_PX + 7 * CELL_PX + 2}
          onKeyDown={onKeyDown}
          onPointerLeave={() => setChosen(null)}
          role="application"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move between the days
          tabIndex={0}
          width={LEFT_PX + WEEKS * CELL_PX + 2}
        >
          <Labels weeks={weeks} />
          {weeks.map((week, column) =>
            week.map(({ day, count }, row) =>
              count === null ? null : (
                <Square
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

/** Weekdays at the left, months above. */
function Labels({ weeks }: { weeks: readonly ActivityDay[][] }) {
  return (
    <g aria-hidden className="fill-ink-3 text-[0.625rem]">
      {['Mon', 'Wed', 'Fri'].map((label, index) => (
        <text key={label} x={0} y={TOP_PX + (2 * index + 1) * CELL_PX - 4}>
          {label}
        </text>
      ))}
      {toMonthLabels(weeks).map(({ week, label }) => (
        <text key={label} x={LEFT_PX + week * CELL_PX} y={11}>
          {label}
        </text>
      ))}
    </g>
  )
}

type SquareProps = {
  column: number
  row: number
  step: number
  isChosen: boolean
  onPoint: () => void
}

function Square({ column, row, step, isChosen, onPoint }: SquareProps) {
  return (
    <rect
      className={step === 0 ? 'fill-line' : 'fill-accent'}
      fillOpacity={step === 0 ? undefined : OPACITIES[step]}
      height={SQUARE_PX}
      onPointerEnter={onPoint}
      rx={2}
      stroke={isChosen ? 'var(--ink)' : 'none'}
      strokeWidth={1.5}
      width={SQUARE_PX}
      x={LEFT_PX + column * CELL_PX + 1}
      y={TOP_PX + row * CELL_PX + 1}
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
