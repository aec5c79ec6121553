'use client'

import dynamic from 'next/dynamic'
import { useMemo } from 'react'
import { PANES_HEIGHT } from '#components/charts/pane-sizes.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import type { Series } from '#lib/contract/answers/symbols.ts'
import { BUCKET_SECONDS } from './buckets.ts'
import { createReading } from './series-reading.ts'
import { toTimePoints } from './to-time-points.ts'

// The drawing library is larger than the rest of the page: it comes when a chart is there to be drawn.
const TimePanes = dynamic(
  () => import('#components/charts/time-panes.tsx').then((module) => module.TimePanes),
  { ssr: false, loading: () => <ChartOutline /> },
)

/** A series as panes. At least one point. */
export function SeriesChart({ series }: { series: Series }) {
  const formats = useFormats()
  const points = useMemo(() => toTimePoints(series.points), [series])
  const describe = useMemo(() => createReading(series, formats), [series, formats])
  return (
    <TimePanes
      bucket={series.bucket}
      bucketSeconds={BUCKET_SECONDS[series.bucket]}
      describe={describe}
      points={points}
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
