'use client'

import { formatDay } from '#components/format/instants.ts'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/messages.tsx'
import type { Series } from '#lib/contract/answers/opinion.ts'
import type { Extent } from './ranges.ts'
import type { SeriesView } from './series-address.ts'
import { type ChangeView, toRangeText } from './series-controls.tsx'

/** No rating was posted, and none was active, in any of the buckets. */
export const isNothing = ({ points }: Pick<Series, 'points'>): boolean =>
  points.every(({ posted, active }) => posted === 0 && active === 0)

type NothingInRangeProps = { view: SeriesView; change: ChangeView; extent: Extent }

/** Stands where a chart would stand; says when there is something to draw. */
export function NothingInRange({ view, change, extent }: NothingInRangeProps) {
  return (
    <EmptyState
      action={<Button onClick={() => change({ from: null, to: null })}>Show all time</Button>}
      className="h-full justify-center"
      title="No rating was posted or active in this range"
    >
      <p>
        The range is {toRangeText(view)}. The first rating came on {formatDay(extent.from)}.
      </p>
    </EmptyState>
  )
}
