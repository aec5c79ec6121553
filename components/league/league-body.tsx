'use client'

import type { UseQueryResult } from '@tanstack/react-query'
import { ArchiveWaiting } from '#components/answer/archive-waiting.tsx'
import { FailureNotice } from '#components/answer/failure-notice.tsx'
import { useFormats } from '#components/format/use-formats.tsx'
import { ZoneControl } from '#components/time/zone-control.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { LiveRegion } from '#components/ui/live-region.tsx'
import { Pager } from '#components/ui/pager.tsx'
import type { PageInfo } from '#lib/contract/answers/envelope.ts'
import { toAsofParameter } from '#lib/contract/instant-text.ts'
import { LeagueSkeleton } from './league-skeleton.tsx'
import { type LeagueColumn, LeagueTable } from './league-table.tsx'
import type { League } from './use-league.ts'

export type LeagueBodyProps<R, C extends string> = {
  /** The table's name and, in small, what one of its rows is: "Symbols", "symbol". */
  name: string
  one: string
  league: League<C>
  answer: UseQueryResult<{ data: R[]; page: PageInfo }>
  columns: readonly LeagueColumn<R, C>[]
  rowKey: (row: R) => string | number
}

/** The table in whichever state it is: loading, failed, empty, there. */
export function LeagueBody<R, C extends string>(props: LeagueBodyProps<R, C>) {
  const { name, one, league, answer } = props
  const { formatCounted } = useFormats()
  const { data, error, refetch } = answer
  const total = data?.page.total
  return (
    <>
      {error !== null && (
        <FailureNotice
          error={error}
          kept={data && 'What stands below was loaded earlier.'}
          onRetry={() => void refetch()}
          what={`The ${one}s`}
        />
      )}
      {data === undefined && error === null && (
        <LeagueSkeleton name={name} rows={league.query.per_page} />
      )}
      {data !== undefined && data.data.length === 0 && <EmptyLeague {...props} />}
      {data !== undefined && data.data.length > 0 && <FullLeague {...props} {...data} />}
      <LiveRegion message={total === undefined ? '' : formatCounted(total, one)} />
    </>
  )
}

function FullLeague<R, C extends string>(
  props: LeagueBodyProps<R, C> & { data: R[]; page: PageInfo },
) {
  const { league, page } = props
  return (
    <>
      <LeagueTable {...props} isDimmed={props.answer.isPlaceholderData} rows={props.data} />
      <Pager
        hrefFor={(number) => league.hrefFor({ page: number })}
        number={page.number}
        onPage={(number) => league.change({ page: number })}
        pages={page.pages}
        size={page.size}
        total={page.total}
      >
        <ZoneControl />
      </Pager>
    </>
  )
}

function EmptyLeague<R, C extends string>({ one, league, answer }: LeagueBodyProps<R, C>) {
  const { query } = league
  const { formatCount, formatCounted } = useFormats()
  const total = answer.data?.page.total ?? 0
  if (total === 0 && query.q === '' && query.asof !== null) {
    return (
      <EmptyState
        action={<ButtonLink href={league.hrefFor({ asof: null })}>Back to now</ButtonLink>}
        className="rounded-lg border bg-surface"
        title={`Nobody had rated anything by ${toAsofParameter(query.asof)}`}
      >
        The table is rewound to then, and counts only what existed.
      </EmptyState>
    )
  }
  // With nothing searched for, no row means no rating at all.
  if (total === 0 && query.q === '') {
    return <ArchiveWaiting onArrival={() => void answer.refetch()} />
  }
  if (total > 0) {
    return (
      <EmptyState
        action={<ButtonLink href={league.hrefFor({ page: 1 })}>First page</ButtonLink>}
        className="rounded-lg border bg-surface"
        title={`There is no page ${formatCount(query.page)}`}
      >
        The {formatCounted(total, one)} end before it.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      action={<ButtonLink href={league.hrefFor({ q: '' })}>All {one}s</ButtonLink>}
      className="rounded-lg border bg-surface"
      title={`No ${one} matches “${query.q}”`}
    />
  )
}
