'use client'

import { useQuery } from '@tanstack/react-query'
import { useZone } from '#components/address/outlook.tsx'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { toZonedText, toZoneName } from '#components/format/instants.ts'
import { classNames } from '#components/ui/class-names.ts'
import { overviewOptions } from '#lib/client/query-options.ts'
import { OverviewLists } from './overview-lists.tsx'
import { OverviewSkeleton } from './overview-skeleton.tsx'

/** What happened lately among the symbols, and what is pending: the head of their page, to be folded away. */
export function Overview({ asof }: { asof: number | null }) {
  const { data, error, refetch, isPlaceholderData } = useQuery(overviewOptions(asof))
  return (
    <details className="group rounded-lg border bg-surface" open>
      <summary className="flex cursor-default list-none items-baseline gap-2 rounded-lg px-4 py-1.5 hover:bg-sunk [&::-webkit-details-marker]:hidden">
        <span aria-hidden className="inline-block text-xs text-ink-3 group-open:rotate-90">
          ▸
        </span>
        <h2 className="text-base font-semibold">Overview</h2>
        {data && <Span from={data.data.since} to={data.meta.as_of} />}
      </summary>
      {error !== null && (
        <FailureNotice
          className="m-3"
          error={error}
          kept={data && 'What stands below was loaded earlier.'}
          onRetry={() => void refetch()}
          what="The overview"
        />
      )}
      {data === undefined && error === null && <OverviewSkeleton />}
      {data !== undefined && (
        <div
          aria-busy={isPlaceholderData}
          className={classNames('border-t', isPlaceholderData && 'opacity-60')}
        >
          <OverviewLists asOf={data.meta.as_of} overview={data.data} />
        </div>
      )}
    </details>
  )
}

/** Over which days. */
function Span({ from, to }: { from: number; to: number }) {
  const zone = useZone()
  return (
    <span className="truncate text-sm text-ink-3">
      {toZonedText(from, zone)} to {toZonedText(to, zone)} {toZoneName(zone)}
    </span>
  )
}
