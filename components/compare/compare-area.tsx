'use client'

import { BUCKET_SECONDS, toBucketName } from '#components/symbols/buckets.ts'
import { Button } from '#components/ui/button.tsx'
import { createLoaded } from '#components/ui/create-loaded.ts'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import type { Bucket } from '#lib/contract/other-queries.ts'
import type { CompareChanges, CompareStyle } from './compare-style.ts'
import { CompareTable } from './compare-table.tsx'
import type { ComparedLine } from './compared-lines.ts'

// The drawing library is larger than the rest of the page: it comes when a chart is there to be drawn.
const { useLoaded } = createLoaded(async () => {
  const { CompareChart } = await import('./compare-chart.tsx')
  return CompareChart
})

type CompareAreaProps = {
  name: string
  bucket: Bucket
  /** Those that are switched on. */
  lines: readonly ComparedLine[]
  style: CompareStyle
  /** The instant that the last bucket is judged at. */
  asOf: number
  /** Of the drawing, in pixels; what stands in its place is as high. */
  height: number
  /** Left out where the comparison is only looked at: nothing in it acts then. */
  onChange?: (changes: CompareChanges) => void
}

/** The drawing or the table, or what there is instead of them. */
export function CompareArea(props: CompareAreaProps) {
  const { name, bucket, lines, style, height, onChange } = props
  const toWhen = (t: number) => toBucketName(t, bucket)
  if (lines.length === 0) {
    return (
      <Nothing
        action={
          onChange && <Button onClick={() => onChange({ hidden: [] })}>Show all symbols</Button>
        }
        height={height}
        title={
          style.hidden.length > 0
            ? 'All symbols are switched off'
            : 'None of them had been rated by then'
        }
      />
    )
  }
  if (lines.every(({ points }) => points.length === 0)) {
    return (
      <Nothing
        action={
          onChange && (
            <Button onClick={() => onChange({ from: null, to: null })}>Show all time</Button>
          )
        }
        height={height}
        title="None of them had been rated in this range"
      />
    )
  }
  if (style.asTable) {
    return (
      <CompareTable bucket={bucket} height={height} lines={lines} name={name} toWhen={toWhen} />
    )
  }
  return <Drawing {...props} toWhen={toWhen} />
}

function Drawing(props: CompareAreaProps & { toWhen: (t: number) => string }) {
  const { bucket, lines, style, asOf, onChange, toWhen } = props
  const { part: CompareChart, error } = useLoaded()
  if (error !== null) throw error
  if (CompareChart === null) return <Skeleton className="h-full rounded-lg" height={300} />
  return (
    <CompareChart
      bucket={bucket}
      bucketSeconds={BUCKET_SECONDS[bucket]}
      lines={lines}
      mode={style.mode}
      {...(onChange && {
        onZoom: ({ from, to }: { from: number; to: number }) =>
          onChange({ from, to: to > asOf ? null : to }),
      })}
      scale={style.scale}
      toWhen={toWhen}
    />
  )
}

type NothingProps = { title: string; height: number; action: React.ReactNode }

const Nothing = ({ title, height, action }: NothingProps) => (
  <div style={{ height }}>
    <EmptyState action={action} className="h-full justify-center" title={title} />
  </div>
)
