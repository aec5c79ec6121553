'use client'

import type { ReactNode } from 'react'
import { IgnoredNotice } from '#components/address/ignored-notice.tsx'
import { useFormats } from '#components/format/use-formats.tsx'
import { TimeMachine } from '#components/time-machine/time-machine.tsx'
import { useTimedTitle } from '#components/time-machine/use-timed-title.ts'
import { PageHeader } from '#components/ui/page-header.tsx'
import { LeagueBody, type LeagueBodyProps } from './league-body.tsx'
import { LeagueSearch } from './league-search.tsx'

type LeagueScreenProps<R, C extends string> = LeagueBodyProps<R, C> & {
  search: { label: string; placeholder: string; inputMode?: 'text' | 'numeric' }
  /** Stands between the page's first line and the table. */
  head?: ReactNode
  /** How the figures were made. */
  children?: ReactNode
}

/** A league table's page: how many there are, a search among them, the table. */
export function LeagueScreen<R, C extends string>(props: LeagueScreenProps<R, C>) {
  const { name, one, search, league, answer, head, children } = props
  const { formatCounted } = useFormats()
  useTimedTitle(name)
  const total = answer.data?.page.total
  return (
    <div className="flex flex-col gap-3">
      <PageHeader
        title={name}
        detail={total === undefined ? undefined : formatCounted(total, one)}
        actions={
          <>
            <LeagueSearch {...search} league={league} />
            <TimeMachine />
          </>
        }
      />
      <IgnoredNotice
        ignored={league.ignored}
        params={league.given}
        href={league.hrefFor({ page: league.query.page })}
      />
      {head}
      <LeagueBody {...props} />
      {children && <p className="text-sm text-ink-3">{children}</p>}
    </div>
  )
}
