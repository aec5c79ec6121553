'use client'

import type { RowData } from '@tanstack/react-table'
import dynamic from 'next/dynamic'
import type { ComponentProps, ReactNode } from 'react'
import { IgnoredNotice } from '#components/address/ignored-notice.tsx'
import type { ListView } from '#components/address/use-list-view.ts'
import type { ExportControlProps } from '#components/export/export-panel.tsx'
import { useFormats } from '#components/format/use-formats.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { Skeleton } from '#components/ui/loading.tsx'
import { EmptyState, LiveRegion } from '#components/ui/messages.tsx'
import { PageHeader } from '#components/ui/page-layout.tsx'
import {
  type AnyList,
  type AnyQuery,
  readBound,
  selectSpanField,
  selectValueFilters,
} from '#lib/contract/lists/define-list.ts'
import { ANY } from '#lib/contract/value-list.ts'
import { ListBody, type ListBodyProps } from './list-body.tsx'
import { type FilteredList, type ListFacets, ListFilters } from './list-filters.tsx'
import { type ListCell, ListTable } from './list-table.tsx'
import { ListTimeline } from './list-timeline.tsx'

const ExportControl = dynamic(
  async () => (await import('#components/export/export-control.tsx')).ExportControl,
)

const TIMELINE_PX = 86

type Bins = ComponentProps<typeof ListTimeline>['bins']

type ListScreenProps<R extends RowData, N extends string> = Pick<FilteredList, 'words'> & {
  list: AnyList & { one: string; table: readonly N[] }
  title: string
  name?: string
  view: Pick<ListView<AnyQuery>, 'query' | 'params' | 'given' | 'ignored'> & {
    // Methods are bivariant: a list accepts more parameters than all lists share.
    hrefFor(change: Readonly<Record<string, unknown>>): string
    change(change: Readonly<Record<string, unknown>>): void
  }
  answer: ListBodyProps<R>['answer'] & { data: { meta: { all: number } } | undefined }
  facets: (ListFacets & { created?: Bins }) | undefined
  cells: Readonly<Partial<Record<N, ListCell<R>>>>
  toKey: (row: R, index: number) => string
  exported: Pick<ExportControlProps, 'named' | 'counted'> | undefined
  actions?: ReactNode
  head?: ReactNode
  besideFailure?: ReactNode
  nothing?: ReactNode
  children?: ReactNode
}

export function ListScreen<R extends RowData, N extends string>(props: ListScreenProps<R, N>) {
  const { list, title, name = title, view, answer, facets, exported, nothing } = props
  const { formatCount, formatCounted } = useFormats()
  const { data, isPlaceholderData: isDimmed } = answer
  const total = data?.page.total
  const counted = total === undefined ? '' : formatCounted(total, list.one)
  return (
    <div className="flex flex-col gap-3">
      <PageHeader
        actions={
          <>
            {props.actions}
            {exported && (
              <ExportControl {...exported} isDimmed={isDimmed} query={view.params} shown={null} />
            )}
          </>
        }
        detail={
          data &&
          (data.page.total === data.meta.all
            ? counted
            : `${formatCount(data.page.total)} of ${formatCounted(data.meta.all, list.one)}`)
        }
        isDimmed={isDimmed}
        title={title}
      />
      <IgnoredNotice
        href={view.hrefFor({ page: view.query.page })}
        ignored={view.ignored}
        params={view.given}
      />
      {props.head}
      {nothing || (
        <div
          className={classNames(
            'grid items-start gap-4 lg:grid-cols-[15rem_minmax(0,1fr)] print:block',
            isDimmed && 'dimmed-counts',
          )}
        >
          <ListFilters
            change={(values) => view.change(values)}
            facets={facets}
            list={list}
            query={view.query}
            showText={total === undefined ? 'Show' : `Show ${formatCount(total)}`}
            words={props.words}
          />
          <div className="flex min-w-0 flex-col gap-3">
            <Timeline {...props} name={name} />
            <ListBody
              answer={answer}
              besideFailure={props.besideFailure}
              empty={<NoRow list={list} view={view} />}
              one={list.one}
              view={view}
              what={`The ${list.one}s`}
            >
              {(rows, isDimmed) => (
                <ListTable {...props} id="rows" isDimmed={isDimmed} name={name} rows={rows} />
              )}
            </ListBody>
          </div>
        </div>
      )}
      {props.children}
      <LiveRegion message={counted} />
    </div>
  )
}

type ListWithView = Pick<ListScreenProps<RowData, string>, 'list' | 'view'>

function Timeline({
  list,
  view,
  facets,
  name,
}: ListWithView & Pick<ListScreenProps<RowData, string>, 'facets'> & { name: string }) {
  const field = selectSpanField(list)
  if (field === null) return null
  const bins = facets?.created
  if (bins === undefined) return <Skeleton className="rounded-lg" height={TIMELINE_PX} />
  if (bins.length === 0) return null
  return (
    <ListTimeline
      bins={bins}
      change={(span) => view.change(span)}
      from={readBound(view.query, 'from')}
      label={list.fields[field]?.label ?? field}
      name={name}
      one={list.one}
      to={readBound(view.query, 'to')}
    />
  )
}

function NoRow({ list, view }: ListWithView) {
  const isSpan = selectSpanField(list) !== null
  const none = {
    ...Object.fromEntries(selectValueFilters(list).map(({ name }) => [name, ANY])),
    ...(isSpan && { from: null, to: null }),
  }
  return (
    <EmptyState
      action={<ButtonLink href={view.hrefFor(none)}>Remove all filters</ButtonLink>}
      className="rounded-lg border bg-surface"
      title={`No ${list.one} passes these filters`}
    >
      Each filter shows how many rows match without it.
    </EmptyState>
  )
}
