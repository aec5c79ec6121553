'use client'

import { useRouter } from 'next/navigation'
import { useMemo } from 'react'
import { useZonedHref } from '#components/address/outlook.tsx'
import { TimePanes } from '#components/charts/time-panes.tsx'
import { useFormats } from '#components/format/use-formats.tsx'
import type { Opinion, Series } from '#lib/contract/answers/opinion.ts'
import { toEdgeText, toJudged } from './bucket-words.ts'
import { BUCKET_SECONDS } from './buckets.ts'
import { type Extent, toWholeDays } from './ranges.ts'
import type { SeriesView } from './series-address.ts'
import type { ChangeView } from './series-controls.tsx'
import { selectMoves } from './series-moves.ts'
import { createReading } from './series-reading.ts'
import { toRatingHref } from './symbol-address.ts'
import { selectAhead, toDots, toPending, toTimePoints } from './to-time-points.ts'

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
  const judged = useMemo(
    () => toJudged(series.bucket, asof, extent.to),
    [series.bucket, asof, extent.to],
  )
  const describe = useMemo(
    () => createReading({ ...series, ...judged }, { minimum, trend, showsWeighted }, formats),
    [series, judged, minimum, trend, showsWeighted, formats],
  )
  const ahead = useMemo(() => {
    const pastSeconds = extent.to - (points.at(0)?.t ?? extent.to)
    const shown = selectAhead(pending, { to }, extent.to)
    return toPending(shown, { minimum, pastSeconds, reaches: asof ?? undefined })
  }, [pending, minimum, points, extent.to, to, asof])
  return (
    <TimePanes
      bucket={series.bucket}
      bucketSeconds={BUCKET_SECONDS[series.bucket]}
      density={series.ratings.length < series.posted}
      describe={describe}
      dots={dots}
      edge={toEdgeText(judged)}
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
