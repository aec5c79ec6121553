'use client'

import {
  type ColumnDef,
  functionalUpdate,
  type RowData,
  rowSortingFeature,
  type SortingState,
  type TableOptions,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { type ReactNode, useMemo } from 'react'
import type { Formats } from '#components/format/numbers.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { ZonedInstant } from '#components/time/instant.tsx'
import { Button } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { Select } from '#components/ui/fields.tsx'
import {
  Cell,
  HeaderCell,
  type Leaves,
  Row,
  SortHeader,
  Table,
  TableFrame,
  TableHead,
  toLeaving,
} from '#components/ui/table.tsx'
import type { AnyList, Field } from '#lib/contract/lists/define-list.ts'
import type { Sort } from '#lib/contract/query-parameters.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'

export type ListCell<R> = {
  label?: string
  card?: 'name' | 'end' | 'wide'
  isWide?: true
  leaves?: Leaves
  render?: (row: R, formats: Formats) => ReactNode
}

export type ListCells<R> = Readonly<Partial<Record<keyof R & string, ListCell<R>>>>

function renderValue(value: unknown, { type }: Pick<Field, 'type'>): ReactNode {
  if (value === null || value === undefined) return '–'
  if (type === 'instant' && typeof value === 'number') return <ZonedInstant seconds={value} />
  return <bdi>{toVisibleText(String(value))}</bdi>
}

const readField = (row: unknown, field: string): unknown =>
  typeof row === 'object' && row !== null ? Reflect.get(row, field) : undefined

type Sorted = {
  query: { sort: Sort<string> }
  // Methods are bivariant: the sort of a list is one of its own columns.
  hrefFor(change: { sort: Sort<string> }): string
  change(change: { sort: Sort<string> }): void
}

type ListTableProps<R extends RowData, N extends string> = {
  list: AnyList & { table: readonly N[] }
  name: string
  id?: string
  view: Sorted
  rows: readonly R[]
  /** Rows may be identical; unique within a page. */
  toKey: (row: R, index: number) => string
  cells: Readonly<Partial<Record<N, ListCell<R>>>>
  isDimmed: boolean
}

export function ListTable<R extends RowData, N extends string>(props: ListTableProps<R, N>) {
  const { list, name, id, view, cells, isDimmed } = props
  const table = useSortedTable(props)
  const formats = useFormats()
  const { sort } = view.query
  const columns = list.table.map((field) => {
    const known: Field = list.fields[field] ?? { label: field, type: 'text' }
    const { label = known.label, ...cell }: ListCell<R> = cells[field] ?? {}
    const render = (row: R) => renderValue(readField(row, field), known)
    const leaving = toLeaving(cell.leaves, sort.column === field)
    return { render, ...known, ...cell, field, label, leaving }
  })
  return (
    <>
      <SortControl columns={columns.filter((column) => column.sort !== undefined)} view={view} />
      <TableFrame aria-label={name} className={classNames(isDimmed && 'opacity-60')}>
        <Table aria-busy={isDimmed} aria-label={name} className="list-table">
          <TableHead>
            {columns.map(({ field, label, numeric, isWide, leaving }) => {
              const column = table.getColumn(field)
              if (!column?.getCanSort()) {
                return (
                  <HeaderCell
                    key={field}
                    className={classNames(isWide && 'w-full', leaving)}
                    numeric={numeric}
                  >
                    {label}
                  </HeaderCell>
                )
              }
              const direction = column.getNextSortingOrder() || 'desc'
              return (
                <SortHeader
                  key={field}
                  className={classNames(leaving)}
                  direction={sort.column === field ? sort.direction : null}
                  href={view.hrefFor({ sort: { column: field, direction } })}
                  label={label}
                  numeric={numeric}
                  onSort={() => column.toggleSorting()}
                />
              )
            })}
          </TableHead>
          <tbody id={id} tabIndex={-1}>
            {table.getRowModel().rows.map((row) => (
              <Row key={row.id}>
                {columns.map(({ field, label, numeric, card, isWide, leaving, render }) => (
                  <Cell
                    key={field}
                    className={classNames(isWide && 'list-wide', leaving)}
                    data-card={card ?? 'figure'}
                    data-label={card === undefined ? label : undefined}
                    numeric={numeric}
                  >
                    {render(row.original, formats)}
                  </Cell>
                ))}
              </Row>
            ))}
          </tbody>
        </Table>
      </TableFrame>
    </>
  )
}

type SortControlProps = {
  columns: readonly { field: string; label: string; sort?: Sort<string>['direction'] }[]
  view: Sorted
}

const DIRECTION_WORDS = { asc: 'ascending', desc: 'descending' } as const
const TURNED = { asc: 'desc', desc: 'asc' } as const

function SortControl({ columns, view }: SortControlProps) {
  const { sort } = view.query
  return (
    <div className="list-sort">
      <Select
        label="Sort by"
        onChange={({ target }) => {
          const { field, sort: direction = 'desc' } =
            columns.find((column) => column.field === target.value) ?? {}
          if (field !== undefined) view.change({ sort: { column: field, direction } })
        }}
        options={columns.map(({ field, label }) => ({ value: field, label }))}
        value={sort.column}
      />
      <Button
        aria-label={`Sorted ${DIRECTION_WORDS[sort.direction]}. Reverse the order`}
        onClick={() =>
          view.change({ sort: { column: sort.column, direction: TURNED[sort.direction] } })
        }
        variant="outline"
      >
        {sort.direction === 'asc' ? '↑' : '↓'}
      </Button>
    </div>
  )
}

const features = tableFeatures({ rowSortingFeature })

function useSortedTable<R extends RowData, N extends string>({
  list,
  view,
  rows,
  toKey,
}: ListTableProps<R, N>) {
  const { column, direction } = view.query.sort
  const sorting = useMemo(
    (): SortingState => [{ id: column, desc: direction === 'desc' }],
    [column, direction],
  )
  const columns = useMemo(
    () =>
      list.table.map((field): ColumnDef<typeof features, R> => {
        const sort = list.fields[field]?.sort
        return {
          id: field,
          accessorFn: () => null,
          enableSorting: sort !== undefined,
          sortDescFirst: sort === 'desc',
        }
      }),
    [list],
  )
  const options = useMemo(
    (): TableOptions<typeof features, R> => ({
      features,
      columns,
      data: rows,
      getRowId: toKey,
      state: { sorting },
      manualSorting: true,
      enableSortingRemoval: false,
      enableMultiSort: false,
      onSortingChange: (updater) => {
        const [next] = functionalUpdate(updater, sorting)
        if (next) view.change({ sort: { column: next.id, direction: next.desc ? 'desc' : 'asc' } })
      },
    }),
    [columns, rows, toKey, sorting, view],
  )
  return useTable(options)
}
