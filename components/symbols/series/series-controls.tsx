'use client'

import type { ReactNode } from 'react'
import type { SeriesView } from '#components/address/series-address.ts'
import {
  type Extent,
  RANGES,
  type Span,
  selectRange,
  toRangeStart,
  toZoomedOut,
} from '#components/address/time-range.ts'
import { formatDate } from '#components/format/instants.ts'
import { Button } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { Segmented } from '#components/ui/fields.tsx'
import { EmptyState } from '#components/ui/messages.tsx'
import type { Series } from '#lib/contract/answers/opinion.ts'
import { BUCKETS, type Bucket } from '#lib/contract/api-queries.ts'

export type ChangeView = (changes: Partial<SeriesView>) => void

type SeriesControlsProps = {
  view: SeriesView
  change: ChangeView
  /** The bucket of the series that is shown; null before one is. */
  drawn: Bucket | null
  /** The element that the controls act on. */
  areaId: string
  /** From the symbol's first rating to the instant that the page stands at. */
  extent: Extent
  /** How many months back the page goes where its address has no range. */
  usualMonths: number
  /** What makes a file of the figure. */
  save?: ReactNode
  /** How it is drawn: on a phone that is folded away, and `id` is the rest of it. */
  settings: { id: string; isOpen: boolean; onToggle: () => void }
}

const BUCKET_OPTIONS = (['auto', ...BUCKETS] as const).map((value) => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
}))

const RANGE_OPTIONS = RANGES.map(({ label, name }) => ({
  value: label as string,
  label: (
    <abbr className="no-underline" title={name}>
      {label}
    </abbr>
  ),
}))

/** Range, bucket, chart or table, and files of it. */
export function SeriesControls(props: SeriesControlsProps) {
  const { view, change, drawn, areaId, save, settings } = props
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 pl-2 print:hidden">
      <RangeControls {...props} />
      <Button
        aria-controls={settings.id}
        aria-expanded={settings.isOpen}
        className="ml-auto sm:hidden"
        onClick={settings.onToggle}
        size="small"
      >
        Settings
      </Button>
      <div
        className={classNames(
          'ml-auto flex flex-wrap items-center gap-x-3 gap-y-1',
          !settings.isOpen && 'max-sm:hidden',
        )}
      >
        <BucketReason asked={view.bucket} drawn={drawn} />
        <Segmented
          label="Bucket"
          onChange={(bucket) => change({ bucket })}
          options={BUCKET_OPTIONS}
          value={view.bucket}
        />
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
    </div>
  )
}

type RangeProps = Pick<SeriesControlsProps, 'view' | 'change' | 'extent' | 'usualMonths'>

/** The ranges that there is a button for; any other in words, with the ways out of it. */
export function RangeControls({ view, change, extent, usualMonths }: RangeProps) {
  const range = selectRange(view, extent.to)
  const goTo = (label: string) => {
    const chosen = RANGES.find((one) => one.label === label)
    if (!chosen) return
    const isUsual = chosen.months === usualMonths
    const from = isUsual ? null : toRangeStart(chosen, extent.to)
    change({ from, to: null, isWhole: chosen.months === null })
  }
  return (
    <>
      <Segmented label="Range" onChange={goTo} options={RANGE_OPTIONS} value={range?.label ?? ''} />
      {range === null && (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="text-ink-3">
            {toRangeText(view)}: the chart and the ratings below it. All else is of{' '}
            {view.asof === null ? 'now' : formatDate(view.asof)}.
          </span>
          <Button onClick={() => change(toWhole(toZoomedOut(view, extent)))} size="small">
            Zoom out
          </Button>
          <Button onClick={() => change(USUAL)} size="small">
            Reset range
          </Button>
        </span>
      )}
    </>
  )
}

/** Back to what the page shows where its address has no range. */
const USUAL = { from: null, to: null, isWhole: false } as const

/** A range that is open at both ends is all time, and says so. */
const toWhole = ({ from, to }: Span) => ({ from, to, isWhole: from === null && to === null })

type BucketReasonProps = { asked: SeriesView['bucket']; drawn: Bucket | null }

/** Which bucket is drawn, where it is not the one that was asked for. */
function BucketReason({ asked, drawn }: BucketReasonProps) {
  if (drawn === null || drawn === asked) return null
  return (
    <span className="text-ink-3">
      {asked === 'auto' ? `by ${drawn}` : `by ${drawn}: more than 400 ${asked}s here`}
    </span>
  )
}

/** A range in words: `1 Jan 2020 to now`, `1 Jan 2020 to 31 Mar 2020`. */
export function toRangeText({ from, to, asof }: Pick<SeriesView, 'from' | 'to' | 'asof'>): string {
  const open = asof === null ? 'now' : formatDate(asof)
  return `${from === null ? 'the beginning' : formatDate(from)} to ${to === null ? open : formatDate(to - 1)}`
}

/** No rating was posted, and none was active, in any of the buckets. */
export const isNothing = ({ points }: Pick<Series, 'points'>): boolean =>
  points.every(({ posted, active }) => posted === 0 && active === 0)

type NothingInRangeProps = { view: SeriesView; change: ChangeView; extent: Extent }

/** Stands where a chart would stand; says when there is something to draw. */
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
