'use client'

import type { ReactNode } from 'react'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { formatCount, formatCounted } from '#components/format/numbers.ts'
import { ButtonLink } from '#components/ui/button.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { EmptyState } from '#components/ui/messages.tsx'
import type { Meta, PageInfo } from '#lib/contract/answers/envelope.ts'
import { Pager } from './pager.tsx'

type Paged = {
  hrefFor: (change: { page: number }) => string
  change: (change: { page: number }) => void
}

export type ListBodyProps<R> = {
  view: Paged & { query: { page: number } }
  /** `all` counts rows without filters. */
  answer: {
    data: { data: readonly R[]; page: PageInfo; meta: Meta & { all?: number } } | undefined
    error: Error | null
    isPlaceholderData: boolean
    refetch: () => unknown
  }
  what: string
  besideFailure?: ReactNode
  one: string
  loading?: ReactNode
  empty: ReactNode
  children: ReactNode
}

const LOADING_PX = 600

export function ListBody<R>({
  view,
  answer,
  what,
  besideFailure,
  one,
  loading = <Skeleton className="rounded-lg" height={LOADING_PX} />,
  empty,
  children,
}: ListBodyProps<R>) {
  const { data, error, refetch } = answer
  const page = data?.page
  return (
    <>
      {error !== null && (
        <FailureNotice
          error={error}
          kept={data && 'The content below was loaded earlier.'}
          onRetry={() => void refetch()}
          what={what}
        />
      )}
      {error !== null && besideFailure}
      {data === undefined && error === null && loading}
      {page && data.data.length === 0 && (
        <div id="rows" tabIndex={-1}>
          {page.total === 0 ? (
            empty
          ) : (
            <NoSuchPage number={view.query.page} one={one} total={page.total} view={view} />
          )}
        </div>
      )}
      {page && data.data.length > 0 && (
        <>
          {children}
          <Pager
            hrefFor={(number) => view.hrefFor({ page: number })}
            most={data.meta.all}
            number={page.number}
            onPage={(number) => view.change({ page: number })}
            pages={page.pages}
            size={page.size}
            total={page.total}
          />
        </>
      )}
    </>
  )
}

type NoSuchPageProps = {
  view: Pick<Paged, 'hrefFor'>
  number: number
  total: number
  one: string
}

function NoSuchPage({ view, number, total, one }: NoSuchPageProps) {
  return (
    <EmptyState
      action={<ButtonLink href={view.hrefFor({ page: 1 })}>First page</ButtonLink>}
      className="rounded-lg border bg-surface"
      title={`There is no page ${formatCount(number)}`}
    >
      The {formatCounted(total, one)} end before it.
    </EmptyState>
  )
}
