'use client'

import type { UseQueryResult } from '@tanstack/react-query'
import type { RowData } from '@tanstack/react-table'
import dynamic from 'next/dynamic'
import { type ReactNode, useState } from 'react'
import { IgnoredNotice } from '#components/address/ignored-notice.tsx'
import { useTimedTitle } from '#components/address/outlook.tsx'
import { ArchiveWaiting } from '#components/feedback/archive-filling.tsx'
import { useFormats } from '#components/format/use-formats.tsx'
import { ListBody } from '#components/list/list-body.tsx'
import { TimeMachine } from '#components/time/time-machine.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { TextField } from '#components/ui/fields.tsx'
import { EmptyState, LiveRegion } from '#components/ui/messages.tsx'
import { PageHeader } from '#components/ui/page-layout.tsx'
import type { Meta, PageInfo } from '#lib/contract/answers/envelope.ts'
import { toAsofParameter } from '#lib/contract/instant-text.ts'
import type { symbolList } from '#lib/contract/lists/symbols.ts'
import type { userList } from '#lib/contract/lists/users.ts'
import { fromVisibleText, toVisibleText } from '#lib/contract/visible-text.ts'
import { isNarrowed } from './league-query.ts'
import { LeagueSkeleton } from './league-skeleton.tsx'
import { type League, type LeagueColumn, LeagueTable } from './league-table.tsx'

const ExportControl = dynamic(
  async () => (await import('#components/export/export-control.tsx')).ExportControl,
)

type LeagueScreenProps<R extends RowData, C extends string> = LeagueBodyProps<R, C> & {
  list: typeof symbolList | typeof userList
  search: { label: string; placeholder: string; inputMode?: 'text' | 'numeric' }
  head?: ReactNode
  children?: ReactNode
}

export function LeagueScreen<R extends RowData, C extends string>(props: LeagueScreenProps<R, C>) {
  const { name, one, list, search, league, answer, head, children } = props
  const { formatCounted } = useFormats()
  useTimedTitle(name)
  const total = answer.data?.page.total
  return (
    <div className="flex flex-col gap-3">
      <PageHeader
        title={name}
        isDimmed={answer.isPlaceholderData}
        detail={total === undefined ? undefined : formatCounted(total, one)}
        actions={
          <>
            <LeagueSearch {...search} league={league} />
            <TimeMachine />
            {answer.data !== undefined && (
              <ExportControl
                named={{ of: list.path, list, asked: league.query }}
                query={league.params}
                formats={list.formats}
                counted={{
                  rows: answer.data.page.total,
                  asOf: answer.data.meta.as_of,
                }}
                shown={null}
                isDimmed={answer.isPlaceholderData}
              />
            )}
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

type LeagueBodyProps<R extends RowData, C extends string> = {
  name: string
  one: string
  league: League<C>
  answer: UseQueryResult<{ data: R[]; page: PageInfo; meta: Meta }>
  columns: readonly LeagueColumn<R, C>[]
  rowKey: (row: R) => string | number
  bar?: ReactNode
}

function LeagueBody<R extends RowData, C extends string>(props: LeagueBodyProps<R, C>) {
  const { name, one, league, answer, bar } = props
  const { formatCounted } = useFormats()
  const total = answer.data?.page.total
  return (
    <>
      <ListBody
        answer={answer}
        empty={<EmptyLeague {...props} />}
        loading={<LeagueSkeleton name={name} rows={league.query.per_page} />}
        one={one}
        view={league}
        what={`The ${one}s`}
      >
        {(rows, isDimmed) => (
          <>
            <LeagueTable {...props} isDimmed={isDimmed} rows={rows} />
            {bar}
          </>
        )}
      </ListBody>
      <LiveRegion message={total === undefined ? '' : formatCounted(total, one)} />
    </>
  )
}

function EmptyLeague<R extends RowData, C extends string>({
  one,
  league,
  answer,
}: LeagueBodyProps<R, C>) {
  const { query } = league
  if (!isNarrowed(query) && query.asof !== null) {
    return (
      <EmptyState
        action={<ButtonLink href={league.hrefFor({ asof: null })}>Back to now</ButtonLink>}
        className="rounded-lg border bg-surface"
        title={`There were no ratings by ${toAsofParameter(query.asof)}`}
      >
        The table shows only what existed then.
      </EmptyState>
    )
  }
  // Without filters, the archive is empty.
  if (!isNarrowed(query)) {
    return <ArchiveWaiting onArrival={() => void answer.refetch()} />
  }
  const everyHref = league.hrefFor({ q: '', peers_of: null, farther_than: null })
  return (
    <EmptyState
      action={<ButtonLink href={everyHref}>All {one}s</ButtonLink>}
      className="rounded-lg border bg-surface"
      title={query.q === '' ? `No ${one} matches` : `No ${one} matches “${toVisibleText(query.q)}”`}
    />
  )
}

type LeagueSearchProps<C extends string> = {
  label: string
  placeholder: string
  league: League<C>
  inputMode?: 'text' | 'numeric'
}

function LeagueSearch<C extends string>(props: LeagueSearchProps<C>) {
  const { label, placeholder, league, inputMode = 'text' } = props
  const { q } = league.query
  const [typed, setTyped] = useState({ q, text: toVisibleText(q) })
  if (typed.q !== q) setTyped({ q, text: toVisibleText(q) })
  const search = (text: string) => {
    // Accepts invisible characters in escaped form.
    const asked = fromVisibleText(text).trim().slice(0, 64)
    setTyped({ q: asked, text })
    league.change({ q: asked }, q === '' ? 'push' : 'replace')
  }
  return (
    <TextField
      className="w-full sm:w-56"
      inputMode={inputMode}
      label={label}
      labelHidden
      onChange={(event) => search(event.target.value)}
      placeholder={placeholder}
      type="search"
      value={typed.text}
    />
  )
}
