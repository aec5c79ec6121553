'use client'

import { Button } from '#components/ui/button.tsx'
import { Segmented } from '#components/ui/segmented.tsx'
import { toInstantText } from '#lib/contract/instant-text.ts'
import { BUCKETS, type Bucket } from '#lib/contract/other-queries.ts'
import { RANGES, selectRange, toRangeStart } from './ranges.ts'
import type { SeriesView } from './series-address.ts'

type SeriesControlsProps = {
  view: SeriesView
  change: (changes: Partial<SeriesView>) => void
  /** The bucket of the series that is shown; null before one is. */
  drawn: Bucket | null
  /** The element that the controls act on. */
  areaId: string
  /** Now, in seconds since 1970. */
  asOf: number
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

/** Range, bucket, and chart or table. */
export function SeriesControls({ view, change, drawn, areaId, asOf }: SeriesControlsProps) {
  const range = selectRange(view, asOf)
  const goTo = (label: string) => {
    const chosen = RANGES.find((one) => one.label === label)
    if (chosen) change({ from: toRangeStart(chosen, asOf), to: null })
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 pl-2">
      <Segmented label="Range" onChange={goTo} options={RANGE_OPTIONS} value={range?.label ?? ''} />
      {range === null && <span className="text-ink-3">{toRangeText(view)}</span>}
      <div className="ml-auto flex flex-wrap items-center gap-x-3 gap-y-1">
        {view.bucket === 'auto' && drawn !== null && <span className="text-ink-3">by {drawn}</span>}
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
      </div>
    </div>
  )
}

/** A range that no button stands for: `2020-01-01 to now`; its end is exclusive. */
function toRangeText({ from, to }: SeriesView): string {
  const start = from === null ? 'the beginning' : toInstantText(from)
  return `${start} to ${to === null ? 'now' : `before ${toInstantText(to)}`}`
}
