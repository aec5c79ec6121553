'use client'

import { memo } from 'react'
import { toTimeTicks } from '#components/charts/time-ticks.ts'
import { Skeleton } from '#components/ui/skeleton.tsx'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { BarStrip } from './bar-strip.tsx'
import { toCreatedBars } from './bars.ts'
import { toSpanText } from './posted-span.ts'
import type { QueryProps } from './query-change.ts'

const BARS_PX = 46
const MOST_TICKS = 8

type TimelineProps = QueryProps & {
  facets: Facets | undefined
  /** There is nothing to stand in outline for. */
  isBlank: boolean
}

/** When the ratings were posted that pass all other filters: a click on a bar leaves the ratings of its span. */
export const Timeline = memo(function Timeline(props: TimelineProps) {
  const { query, change, facets, isBlank } = props
  const bins = facets?.created
  const [first, last] = [bins?.at(0), bins?.at(-1)]
  return (
    <figure className="h-[86px] shrink-0 rounded-lg border bg-surface px-4 pt-2.5">
      <figcaption className="sr-only">Ratings posted over time</figcaption>
      {!bins && !isBlank && <Skeleton height={BARS_PX} />}
      {bins?.length === 0 && (
        <p className="pt-5 text-center text-ink-3">
          Nothing was posted that passes the other filters
        </p>
      )}
      {bins && first && last && (
        <>
          <BarStrip
            name="Posted over time, pick a span"
            bars={toCreatedBars(bins, query, (from, to) => toSpanText({ from, to }) ?? '')}
            heightPx={BARS_PX}
            onPick={(bar) => change(bar.pick)}
          />
          <TimeTicks from={first.from} to={last.to} />
        </>
      )}
    </figure>
  )
})

function TimeTicks({ from, to }: { from: number; to: number }) {
  return (
    <div aria-hidden className="relative mt-1 h-4 border-t text-xs text-ink-3">
      {toTimeTicks(from, to, MOST_TICKS).map(({ at, label }) => {
        const share = (at - from) / (to - from)
        return (
          <span
            key={at}
            className="absolute top-0.5 whitespace-nowrap"
            style={{ left: `${share * 100}%`, translate: `${-share * 100}%` }}
          >
            {label}
          </span>
        )
      })}
    </div>
  )
}
