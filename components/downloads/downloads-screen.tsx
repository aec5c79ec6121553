'use client'

import { useQuery } from '@tanstack/react-query'
import { FailureNotice } from '#components/answer/failure-notice.tsx'
import { PageBody } from '#components/shell/page-body.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { dumpsOptions, statusOptions } from '#lib/client/query-options.ts'
import { DumpCard } from './dump-card.tsx'

/** Both dumps. `origin` is where the server believes it is reached. */
export function DownloadsScreen({ origin }: { origin: string }) {
  const dumps = useQuery(dumpsOptions())
  const status = useQuery(statusOptions())
  const serverNow = status.data?.data.now ?? null
  const cards = dumps.data?.data
  return (
    <PageBody className="max-w-[1760px]">
      <PageHeader
        title="Weekly dumps"
        detail="refreshed by the service on Sundays at 00:00 Eastern"
      />
      {dumps.isError && (
        <FailureNotice
          what="The dumps"
          error={dumps.error}
          kept={cards ? 'What stands below may be old.' : 'The ratings here still work.'}
          onRetry={() => void dumps.refetch()}
        />
      )}
      {cards && (
        <>
          <DumpCard dump={cards.posts} serverNow={serverNow} origin={origin} />
          <DumpCard dump={cards.lookups} serverNow={serverNow} origin={origin} />
        </>
      )}
      {dumps.isPending && <DumpCardsSkeleton />}
    </PageBody>
  )
}

/** Two cards' height, while nothing is known. */
export const DumpCardsSkeleton = () => (
  <div aria-busy className="flex flex-col gap-4">
    <Skeleton height={382} className="rounded-lg" />
    <Skeleton height={382} className="rounded-lg" />
  </div>
)
