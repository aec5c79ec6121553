'use client'

import { createBucketWords, type Judged } from '#components/symbols/bucket-words.ts'
import { BUCKET_SECONDS } from '#components/symbols/buckets.ts'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/messages.tsx'
import { CompareChart } from './compare-chart.tsx'
import type { CompareChanges, CompareStyle } from './compare-style.ts'
import { CompareTable } from './compare-table.tsx'
import type { ComparedLine } from './compared-lines.ts'

type CompareAreaProps = {
  name: string
  /** Those that are switched on. */
  lines: readonly ComparedLine[]
  style: CompareStyle
  judged: Judged
  /** Of the drawing, in pixels; what stands in its place is as high. */
  height: number
  /** Left out where the comparison is only looked at: nothing in it acts then. */
  onChange?: (changes: CompareChanges) => void
}

/** The drawing or the table, or what there is instead of them. */
export function CompareArea(props: CompareAreaProps) {
  const { name, lines, style, judged, height, onChange } = props
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
    const { toRow } = createBucketWords(judged)
    return <CompareTable height={height} lines={lines} name={name} toRow={toRow} />
  }
  return <Drawing {...props} />
}

function Drawing({ lines, style, judged, onChange }: CompareAreaProps) {
  const { bucket, asOf } = judged
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
      toWhen={createBucketWords(judged).toTitle}
    />
  )
}

type NothingProps = { title: string; height: number; action: React.ReactNode }

const Nothing = ({ title, height, action }: NothingProps) => (
  <div style={{ height }}>
    <EmptyState action={action} className="h-full justify-center" title={title} />
  </div>
)
