'use client'

import type { RowData } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import { ExportControl } from '#components/export/export-control.tsx'
import type { ExportControlProps } from '#components/export/export-panel.tsx'
import { IgnoredNotice } from '#components/feedback/ignored-notice.tsx'
import {
  createFilterReader,
  selectChips,
  selectFilters,
  toFilteredTitle,
  toFilterPhrase,
  withoutFilters,
} from '#components/format/filter-words.ts'
import { UTC } from '#components/format/instants.ts'
import { formatCount, formatCounted } from '#components/format/numbers.ts'
import { ViewsMenu } from '#components/saved/views-menu.tsx'
import { useTimedTitle } from '#components/time/as-of.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { EmptyState, LiveRegion } from '#components/ui/messages.tsx'
import { PageHeader } from '#components/ui/page-layout.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import type { AnyList, AnyQuery, List, ListPage } from '#lib/contract/lists/define-list.ts'
import { ColumnsMenu } from './columns/columns-menu.tsx'
import { ListBody, type ListBodyProps } from './list-body.tsx'
import { hasLeaving, type ListCell, ListTable } from './list-table.tsx'
import type { ListView } from './use-list.ts'
import {
  type ListTableModel,
  type SelectableRows,
  type Selection,
  useListTable,
} from './use-list-table.ts'

export type ListScreenProps<R extends RowData, N extends string> = {
  list: AnyList &
    Pick<List<never, never>, 'path' | 'one' | 'formats' | 'isRanked' | 'filters'> & {
      page: ListPage
      table: readonly N[]
    }
  name?: string
  view: Pick<ListView<AnyQuery>, 'query' | 'params' | 'given' | 'ignored'> & {
    // Methods are bivariant: a list accepts more parameters than all lists share.
    hrefFor(change: Readonly<Record<string, unknown>>): string
    change(change: Readonly<Record<string, unknown>>): void
  }
  answer: ListBodyProps<R>['answer']
  selectable?: SelectableRows
  selection?: Selection
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
  /** Around the rows. */
  frame?: (rows: ReactNode) => ReactNode
  children?: ReactNode
}

export function ListScreen<R extends RowData, N extends string>(props: ListScreenProps<R, N>) {
  const { list, view, answer, exported, nothing, frame } = props
  const { title } = list.page
  const filters = selectFilters(list, view.query, createFilterReader(useZone()))
  // The server knows no zone.
  const plain = createFilterReader(UTC)
  useTimedTitle(toFilteredTitle(selectChips(list, view.query, plain), title))
  const { data, isPlaceholderData: isDimmed } = answer
  const model = useListTable({ ...props, rows: data?.data })
  const rows = <ListRows {...props} model={model} />
  const total = data?.page.total
  const counted = total === undefined ? '' : formatCounted(total, list.one)
  return (
    <div className="flex flex-col gap-3">
      <PageHeader
        actions={
          <>
            {props.actions}
            <ViewsMenu
              shown={{ path: list.page.path, query: view.query }}
              suggestion={toFilterPhrase(filters) || title}
            />
            {!nothing && (
              <ColumnsMenu
                {...model}
                leavesUntil={hasLeaving(props.cells) ? 'others hidden' : undefined}
              />
            )}
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
      {nothing || (frame ? frame(rows) : rows)}
      {props.children}
      <LiveRegion message={counted} />
    </div>
  )
}

type RowsProps<R extends RowData, N extends string> = ListScreenProps<R, N> & {
  model: ListTableModel<R>
}

function ListRows<R extends RowData, N extends string>(props: RowsProps<R, N>) {
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
      <ListTable {...props} id="rows" isDimmed={props.answer.isPlaceholderData} name={name} />
      {props.bar}
    </ListBody>
  )
}

function NoRow({ list, view }: Pick<ListScreenProps<RowData, string>, 'list' | 'view'>) {
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
