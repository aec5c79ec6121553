'use client'

import type { RowData } from '@tanstack/react-table'
import dynamic from 'next/dynamic'
import type { ComponentProps, ReactNode } from 'react'
import { IgnoredNotice } from '#components/address/ignored-notice.tsx'
import { useTimedTitle } from '#components/address/outlook.tsx'
import type { Selection } from '#components/address/selection.ts'
import type { ListView } from '#components/address/use-list-view.ts'
import type { ExportControlProps } from '#components/export/export-panel.tsx'
import {
  createFilterReader,
  selectChips,
  selectFilters,
  toFilteredTitle,
  toFilterPhrase,
  withoutFilters,
} from '#components/format/filter-words.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { Skeleton } from '#components/ui/loading.tsx'
import { EmptyState, LiveRegion } from '#components/ui/messages.tsx'
import { PageHeader } from '#components/ui/page-layout.tsx'
import { ViewsButton } from '#components/views/views-button.tsx'
import {
  type AnyList,
  type AnyQuery,
  type List,
  type ListPage,
  readBound,
  selectSpanField,
  selectValueFilters,
} from '#lib/contract/lists/define-list.ts'
import { FilterLine } from './filter-line.tsx'
import { ListBody, type ListBodyProps } from './list-body.tsx'
import { type ListFacets, ListFilters } from './list-filters.tsx'
import { type ListCell, ListTable } from './list-table.tsx'
import { ListTimeline } from './list-timeline.tsx'

const ExportControl = dynamic(
  async () => (await import('#components/export/export-control.tsx')).ExportControl,
)

const TIMELINE_PX = 86

type Bins = ComponentProps<typeof ListTimeline>['bins']

type ListScreenProps<R extends RowData, N extends string> = {
  list: AnyList &
    Pick<List<never, never>, 'one' | 'formats' | 'isRanked' | 'filters'> & {
      page: ListPage
      table: readonly N[]
    }
  name?: string
  view: Pick<ListView<AnyQuery>, 'query' | 'params' | 'zone' | 'given' | 'ignored'> & {
    selection?: Selection | null
    // Methods are bivariant: a list accepts more parameters than all lists share.
    hrefFor(change: Readonly<Record<string, unknown>>): string
    change(change: Readonly<Record<string, unknown>>): void
  }
  answer: ListBodyProps<R>['answer']
  facets?: (ListFacets & { created?: Bins }) | undefined
  cells: Readonly<Partial<Record<N, ListCell<R>>>>
  toKey: (row: R, index: number) => string
  exported: Pick<ExportControlProps, 'named' | 'counted'> | undefined
  actions?: ReactNode
  head?: ReactNode
  besideFailure?: ReactNode
  nothing?: ReactNode
  loading?: ReactNode
  empty?: ReactNode
  bar?: ReactNode
  children?: ReactNode
}

export function ListScreen<R extends RowData, N extends string>(props: ListScreenProps<R, N>) {
  const { list, view, answer, exported, nothing } = props
  const { title } = list.page
  const formats = useFormats()
  const { formatCount, formatCounted } = formats
  const filters = selectFilters(list, view.query, createFilterReader(view.zone, formats))
  useTimedTitle(
    toFilteredTitle(
      filters.filter(({ isContext }) => !isContext),
      title,
    ),
  )
  const { data, isPlaceholderData: isDimmed } = answer
  const total = data?.page.total
  const counted = total === undefined ? '' : formatCounted(total, list.one)
  return (
    <div className="flex flex-col gap-3">
      <PageHeader
        actions={
          <>
            {props.actions}
            <ViewsButton
              shown={{ path: list.page.path, query: { ...view.query, tz: view.zone } }}
              suggestion={toFilterPhrase(filters) || title}
            />
            {exported && (
              <ExportControl
                {...exported}
                formats={list.formats}
                isDimmed={isDimmed}
                query={view.params}
                shown={null}
              />
            )}
          </>
        }
        detail={
          data &&
          (data.meta.all === undefined || data.page.total === data.meta.all
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
      {nothing || (isFiltered(list) ? <FilteredRows {...props} /> : <ListRows {...props} />)}
      {props.children}
      <LiveRegion message={counted} />
    </div>
  )
}

const isFiltered = (list: AnyList) =>
  selectValueFilters(list).length > 0 || selectSpanField(list) !== null

function FilteredRows<R extends RowData, N extends string>(props: ListScreenProps<R, N>) {
  const { list, view, answer, facets } = props
  const total = answer.data?.page.total
  const formats = useFormats()
  return (
    <div
      className={classNames(
        'grid items-start gap-4 lg:grid-cols-[15rem_minmax(0,1fr)] print:block',
        answer.isPlaceholderData && 'dimmed-counts',
      )}
    >
      <ListFilters
        change={(values) => view.change(values)}
        facets={facets}
        list={list}
        query={view.query}
        showText={total === undefined ? 'Show' : `Show ${formats.formatCount(total)}`}
      />
      <div className="flex min-w-0 flex-col gap-3">
        <FilterLine
          chips={selectChips(list, view.query, createFilterReader(view.zone, formats))}
          isDimmed={answer.isPlaceholderData}
          nothing={`No filter: every ${list.one} is shown.`}
          onClear={() => view.change(withoutFilters(list, view.query))}
          onDrop={({ drop }) => view.change(drop(view.query))}
        />
        <Timeline {...props} name={props.name ?? list.page.title} />
        <ListRows {...props} />
      </div>
    </div>
  )
}

function ListRows<R extends RowData, N extends string>(props: ListScreenProps<R, N>) {
  const { list, name = list.page.title, view } = props
  return (
    <ListBody
      answer={props.answer}
      besideFailure={props.besideFailure}
      empty={props.empty ?? <NoRow list={list} view={view} />}
      loading={props.loading}
      one={list.one}
      view={view}
      what={`The ${list.one}s`}
    >
      {(rows, isDimmed) => (
        <>
          <ListTable {...props} id="rows" isDimmed={isDimmed} name={name} rows={rows} />
          {props.bar}
        </>
      )}
    </ListBody>
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
  return (
    <EmptyState
      action={
        <ButtonLink href={view.hrefFor(withoutFilters(list, view.query))}>
          Remove all filters
        </ButtonLink>
      }
      className="rounded-lg border bg-surface"
      title={`No ${list.one} passes these filters`}
    >
      Each filter shows how many rows match without it.
    </EmptyState>
  )
}
