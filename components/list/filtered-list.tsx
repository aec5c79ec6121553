'use client'

import type { RowData } from '@tanstack/react-table'
import type { ComponentProps, ReactNode } from 'react'
import { createFilterReader, selectChips, withoutFilters } from '#components/format/filter-words.ts'
import { formatCount } from '#components/format/numbers.ts'
import { classNames } from '#components/ui/class-names.ts'
import { Skeleton } from '#components/ui/loading.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import { readBound, selectSpanField } from '#lib/contract/lists/define-list.ts'
import { FilterLine } from './filter-line.tsx'
import { type ListFacets, ListFilters } from './list-filters.tsx'
import { ListScreen, type ListScreenProps } from './list-screen.tsx'
import { ListTimeline } from './list-timeline.tsx'

type FilteredListProps<R extends RowData, N extends string> = ListScreenProps<R, N> & {
  facets: (ListFacets & { created?: ComponentProps<typeof ListTimeline>['bins'] }) | undefined
}

/** A list with filters and a timeline. */
export const FilteredList = <R extends RowData, N extends string>(
  props: FilteredListProps<R, N>,
) => <ListScreen {...props} frame={(rows) => <Filtered {...props}>{rows}</Filtered>} />

type FilteredProps = Pick<
  FilteredListProps<RowData, string>,
  'list' | 'view' | 'facets' | 'name'
> & {
  answer: { isPlaceholderData: boolean; data: { page: { total: number } } | undefined }
  children: ReactNode
}

function Filtered({ list, view, answer, facets, name, children }: FilteredProps) {
  const total = answer.data?.page.total
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
        showText={total === undefined ? 'Show' : `Show ${formatCount(total)}`}
      />
      <div className="flex min-w-0 flex-col gap-3">
        <FilterLine
          chips={selectChips(list, view.query, createFilterReader(useZone()))}
          isDimmed={answer.isPlaceholderData}
          onClear={() => view.change(withoutFilters(list, view.query))}
          onDrop={({ drop }) => view.change(drop(view.query))}
        />
        <Timeline facets={facets} list={list} name={name ?? list.page.title} view={view} />
        {children}
      </div>
    </div>
  )
}

const TIMELINE_PX = 86

type TimelineProps = Pick<FilteredProps, 'list' | 'view' | 'facets'> & { name: string }

function Timeline({ list, view, facets, name }: TimelineProps) {
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
