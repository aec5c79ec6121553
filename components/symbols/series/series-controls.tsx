'use client'

import type { ReactNode } from 'react'
import { formatDate } from '#components/format/instants.ts'
import { type SeriesView, USUAL_MONTHS } from '#components/symbols/series-view.ts'
import {
  type Extent,
  RANGES,
  type Span,
  selectRange,
  toRangeStart,
  toZoomedOut,
} from '#components/time/time-range.ts'
import { Button } from '#components/ui/button.tsx'
import { Segmented } from '#components/ui/fields.tsx'
import { EmptyState } from '#components/ui/messages.tsx'
import type { Series } from '#lib/contract/answers/opinion.ts'
import type { Bucket } from '#lib/contract/api-queries.ts'

export type ChangeView = (changes: Partial<SeriesView>) => void

type SeriesControlsProps = {
  view: SeriesView
  change: ChangeView
  drawn: Bucket | null
  areaId: string
  extent: Extent
  save: ReactNode
  settings: ReactNode
}

const RANGE_OPTIONS = RANGES.map(({ label, name }) => ({
  value: label as string,
  label: (
    <abbr className="no-underline" title={name}>
      {label}
    </abbr>
  ),
}))

export function SeriesControls(props: SeriesControlsProps) {
  const { view, change, drawn, areaId, save, settings } = props
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pl-2 print:hidden">
      <RangeControls {...props} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 sm:ml-auto">
        {settings}
        <Button
          aria-controls={areaId}
          className="w-28"
          onClick={() => change({ asTable: !view.asTable })}
          size="small"
        >
          {view.asTable ? 'Show as chart' : 'Show as table'}
        </Button>
        {save}
      </div>
      <RangeLine {...props} drawn={drawn} />
    </div>
  )
}

type RangeProps = Pick<SeriesControlsProps, 'view' | 'change' | 'extent'>

export function RangeControls({ view, change, extent }: RangeProps) {
  const range = selectRange(view, extent.to)
  const goTo = (label: string) => {
    const chosen = RANGES.find((one) => one.label === label)
    if (!chosen) return
    const isUsual = chosen.months === USUAL_MONTHS
    const from = isUsual ? null : toRangeStart(chosen, extent.to)
    change({ from, to: null, isWhole: chosen.months === null })
  }
  return (
    <Segmented label="Range" onChange={goTo} options={RANGE_OPTIONS} value={range?.label ?? ''} />
  )
}

export function RangeLine({ view, change, extent, drawn }: RangeLineProps) {
  const isOwn = selectRange(view, extent.to) === null
  const bucket = drawn === null ? '' : toBucketText(view.bucket, drawn)
  return (
    <div className="flex min-h-7 w-full items-center gap-x-2 text-sm text-ink-3">
      <span className="min-w-0 truncate">
        {toRangeText({ ...view, from: view.from ?? extent.from })}
        {bucket}
      </span>
      {isOwn && (
        <>
          <Button
            className="shrink-0"
            onClick={() => change(toWhole(toZoomedOut(view, extent)))}
            size="small"
          >
            Zoom out
          </Button>
          <Button className="shrink-0" onClick={() => change(USUAL)} size="small">
            Reset range
          </Button>
        </>
      )}
    </div>
  )
}

type RangeLineProps = RangeProps & { drawn: Bucket | null }

const USUAL = { from: null, to: null, isWhole: false } as const

/** Without `isWhole`, an unbounded range would be the default one. */
const toWhole = ({ from, to }: Span) => ({ from, to, isWhole: from === null && to === null })

const toBucketText = (asked: SeriesView['bucket'], drawn: Bucket): string =>
  `, by ${drawn}${asked === 'auto' || asked === drawn ? '' : `: more than 400 ${asked}s here`}`

export function toRangeText({ from, to, asof }: Pick<SeriesView, 'from' | 'to' | 'asof'>): string {
  const open = asof === null ? 'now' : formatDate(asof)
  return `${from === null ? 'the beginning' : formatDate(from)} to ${to === null ? open : formatDate(to - 1)}`
}

export const isNothing = ({ points }: Pick<Series, 'points'>): boolean =>
  points.every(({ posted, active }) => posted === 0 && active === 0)

type NothingInRangeProps = { view: SeriesView; change: ChangeView; extent: Extent }

export function NothingInRange({ view, change, extent }: NothingInRangeProps) {
  return (
    <EmptyState
      action={
        <Button onClick={() => change(toWhole({ from: null, to: null }))}>Show all time</Button>
      }
      className="h-full justify-center"
      title="No rating was posted or active in this range"
    >
      <p>
        The range is {toRangeText(view)}. The first rating came on {formatDate(extent.from)}.
      </p>
    </EmptyState>
  )
}
