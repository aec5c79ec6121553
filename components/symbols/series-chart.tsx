'use client'

import { useRouter } from 'next/navigation'
import { useMemo } from 'react'
import { PANES_HEIGHT } from '#components/charts/pane-sizes.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { useZonedHref } from '#components/time/zoned-link.tsx'
import { createLoaded } from '#components/ui/create-loaded.ts'
import { Skeleton } from '#components/ui/skeleton.tsx'
import type { Opinion } from '#lib/contract/answers/opinion.ts'
import type { Series } from '#lib/contract/answers/series.ts'
import { BUCKET_SECONDS } from './buckets.ts'
import { type Extent, toWholeDays } from './ranges.ts'
import type { SeriesView } from './series-address.ts'
import type { ChangeView } from './series-controls.tsx'
import { selectMoves } from './series-moves.ts'
import { createReading } from './series-reading.ts'
import { toRatingHref } from './symbol-address.ts'
import { selectAhead, toDots, toPending, toTimePoints } from './to-time-points.ts'

// The drawing library is larger than the rest of the page: it comes when a chart is there to be drawn.
const { begin, useLoaded } = createLoaded(async () => {
  const { TimePanes } = await import('#components/charts/time-panes.tsx')
  return TimePanes
})
// It is on its way while the page is still being taken over.
if (typeof window !== 'undefined') begin()

export type SeriesChartProps = {
  /** At least one point. */
  series: Series
  view: SeriesView
  /** Left out where the chart is only looked at: nothing in it leads elsewhere then. */
  change?: ChangeView
  /** The consensus to come if nothing is renewed, from now or from the instant that the page stands at. */
  pending: Opinion['pending']
  extent: Extent
}

/** A series as panes. */
export function SeriesChart({ series, view, change, pending, extent }: SeriesChartProps) {
  const formats = useFormats()
  const router = useRouter()
  const zoned = useZonedHref()
  const { minimum, trend, showsWeighted, asof, to } = view
  const points = useMemo(() => toTimePoints(series.points, minimum), [series, minimum])
  const dots = useMemo(() => toDots(series.ratings), [series])
  const moves = useMemo(() => selectMoves(series, minimum, formats), [series, minimum, formats])
  const describe = useMemo(
    () => createReading(series, { minimum, trend, showsWeighted }, formats),
    [series, minimum, trend, showsWeighted, formats],
  )
  const ahead = useMemo(() => {
    const pastSeconds = extent.to - (points.at(0)?.t ?? extent.to)
    const shown = selectAhead(pending, { to }, extent.to)
    return toPending(shown, { minimum, pastSeconds, reaches: asof ?? undefined })
  }, [pending, minimum, points, extent.to, to, asof])
  const { part: TimePanes, error } = useLoaded()
  if (error !== null) throw error
  if (TimePanes === null) return <ChartOutline />
  return (
    <TimePanes
      bucket={series.bucket}
      bucketSeconds={BUCKET_SECONDS[series.bucket]}
      density={series.ratings.length < series.posted}
      describe={describe}
      dots={dots}
      // A series as of an instant to come ends now.
      edge={asof === extent.to ? 'as of' : 'now'}
      moves={moves}
      {...(change && {
        onOpen: (id: number) => router.push(zoned(toRatingHref(id, asof))),
        onZoom: (range: Extent) => change(toWholeDays(range, extent.to)),
      })}
      pending={ahead}
      points={points}
      showsWeighted={showsWeighted}
      trend={trend}
    />
  )
}

/** Holds the chart's place; where no script runs, it says what does work. */
const ChartOutline = () => (
  <div className="relative">
    <Skeleton className="rounded-lg" height={PANES_HEIGHT} />
    <noscript>
      <p className="absolute inset-0 flex items-center justify-center gap-1 rounded-lg bg-sunk text-ink-2">
        The chart needs JavaScript.
        <a className="link" href="?view=table">
          Show as table
        </a>
      </p>
    </noscript>
  </div>
)
