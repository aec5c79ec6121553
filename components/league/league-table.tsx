'use client'

import {
  functionalUpdate,
  type RowData,
  type RowSelectionState,
  rowSelectionFeature,
  type TableOptions,
  type Row as TableRow,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { type ReactNode, useCallback, useMemo } from 'react'
import { toNextSort } from '#components/address/page-address.ts'
import { useZonedAddress } from '#components/address/use-address.ts'
import type { Formats } from '#components/format/numbers.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { HelpPopover as Rule } from '#components/ui/help-popover.tsx'
import {
  HeaderCell,
  type Leaves,
  SortHeader,
  Table,
  TableFrame,
  TableHead,
  toLeaving,
} from '#components/ui/table.tsx'
import type { Issue } from '#lib/contract/faults.ts'
import { outlookQuery } from '#lib/contract/outlook.ts'
import type { Parameter, Sort } from '#lib/contract/query-parameters.ts'
import { readLeniently, toParams, type ValuesOf } from '#lib/contract/query-schema.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import {
  type LeagueQuery,
  type Selectable,
  splitSelected,
  toSelected,
  withSelected,
} from './league-query.ts'

export type LeagueColumn<R, C extends string> = {
  label: string
  numeric?: boolean
  headClassName?: string
  card?: 'lead' | 'figure'
  cardLabel?: string
  cellClassName?: string
  leaves?: Leaves
  toTitle?: (row: R, formats: Formats) => string | undefined
  rule?: ReactNode
  render: (row: R, sort: Sort<C>) => ReactNode
} & (
  | {
      sort: C
      usual: Sort<C>['direction']
    }
  | { sort: null; usual?: never }
)

type LeagueTableProps<R, C extends string> = {
  name: string
  league: League<C>
  columns: readonly LeagueColumn<R, C>[]
  rows: readonly R[]
  rowKey: (row: R) => string | number
  isDimmed: boolean
}

/**
 * Styled by table and column classes (`league.css`): attributes on hundreds of cells would bloat
 * the page.
 */
export function LeagueTable<R extends RowData, C extends string>(props: LeagueTableProps<R, C>) {
  const { name, league, columns, isDimmed } = props
  const rows = useRows(props)
  const formats = useFormats()
  return (
    <TableFrame aria-label={name}>
      <Table
        aria-label={name}
        aria-busy={isDimmed}
        className={classNames('league', league.selectable !== null && 'league-selectable')}
      >
        <TableHead>
          {columns.map((column) => (
            <Heading key={column.label} column={column} league={league} />
          ))}
        </TableHead>
        <tbody id="rows" tabIndex={-1}>
          {rows.map((row) => (
            <tr key={row.id} data-selected={row.getIsSelected() || undefined}>
              {columns.map((column, index) => (
                <td
                  key={column.label}
                  title={column.toTitle?.(row.original, formats)}
                  {...toCardPart(column, index, league)}
                >
                  {index === 0 && league.selectable !== null && <RowCheck row={row} />}
                  {column.render(row.original, league.query.sort)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </TableFrame>
  )
}

const features = tableFeatures({ rowSelectionFeature })

function useRows<R extends RowData, C extends string>({
  league,
  rows,
  rowKey,
}: LeagueTableProps<R, C>) {
  const { selected, selectable, select } = league
  const rowSelection = useMemo(
    (): RowSelectionState => Object.fromEntries(selected.map((name) => [name, true as const])),
    [selected],
  )
  const options = useMemo(
    (): TableOptions<typeof features, R> => ({
      features,
      columns: [],
      data: rows,
      getRowId: (row) => String(rowKey(row)),
      state: { rowSelection },
      // Selected rows can always be deselected.
      enableRowSelection: ({ id }) =>
        selectable !== null && (selected.length < selectable.most || selected.includes(id)),
      onRowSelectionChange: (updater) =>
        select(toSelected(functionalUpdate(updater, rowSelection), selected)),
    }),
    [rows, rowKey, rowSelection, selected, selectable, select],
  )
  return useTable(options).getRowModel().rows
}

function RowCheck<R extends RowData>({ row }: { row: TableRow<typeof features, R> }) {
  const canSelect = row.getCanSelect()
  return (
    <input
      type="checkbox"
      className="row-check"
      aria-label={`Select ${toVisibleText(row.id)}`}
      checked={row.getIsSelected()}
      disabled={!canSelect}
      onChange={row.getToggleSelectedHandler()}
      title={canSelect ? undefined : 'No more can be selected'}
      // Browsers restore checkboxes when navigating back.
      autoComplete="off"
    />
  )
}

function toCardPart<R, C extends string>(
  { label, sort, card, cardLabel, cellClassName, leaves }: LeagueColumn<R, C>,
  index: number,
  league: League<C>,
) {
  const isSorted = sort !== null && sort === league.query.sort.column
  const isNamed = index > 0 && (card !== undefined || isSorted)
  const className = classNames(
    cellClassName,
    card === 'lead' && 'lead',
    toLeaving(leaves, isSorted),
  )
  return {
    className: className === '' ? undefined : className,
    'data-label': isNamed ? (cardLabel ?? label) : undefined,
    'data-sorted': isSorted || undefined,
  }
}

function Heading<R, C extends string>({
  column,
  league,
}: {
  column: LeagueColumn<R, C>
  league: League<C>
}) {
  const { label, numeric, rule, usual, leaves } = column
  const isSorted = column.sort !== null && column.sort === league.query.sort.column
  const headClassName = classNames(column.headClassName, toLeaving(leaves, isSorted))
  if (column.sort === null || usual === undefined) {
    return (
      <HeaderCell className={classNames(headClassName, 'league-unsorted')} numeric={numeric}>
        {label}
      </HeaderCell>
    )
  }
  const { sort } = league.query
  const next = toNextSort(sort, column.sort, usual)
  return (
    <SortHeader
      direction={isSorted ? sort.direction : null}
      href={league.hrefFor({ sort: next })}
      className={headClassName}
      edge={rule}
      label={label}
      numeric={numeric}
      onSort={() => league.change({ sort: next })}
    />
  )
}

type LeagueParameters<C extends string> = {
  [K in keyof LeagueQuery<C>]: Parameter<Exclude<LeagueQuery<C>[K], undefined>>
}

type LeagueSchema<C extends string> = {
  parameters: LeagueParameters<C>
  order: readonly string[]
  // Method syntax for bivariance, so that both leagues' schemas fit.
  refuse(values: ValuesOf<LeagueParameters<C>>): readonly Issue[]
}

type Change<C extends string> = Partial<LeagueQuery<C>>

export type League<C extends string> = {
  query: LeagueQuery<C>
  params: URLSearchParams
  given: URLSearchParams
  ignored: readonly Issue[]
  /** Names in the order of selection. `selectable` null: no selection. */
  selected: readonly string[]
  selectable: Selectable | null
  select: (names: readonly string[]) => void
  hrefFor: (change: Change<C>) => string
  change: (change: Change<C>, how?: 'push' | 'replace') => void
}

type LeagueOptions<C extends string> = {
  schema: LeagueSchema<C>
  asked?: LeagueSchema<C>
  selectable?: Selectable | null
}

export function useLeague<C extends string>(
  path: string,
  { schema, asked: apiSchema = schema, selectable = null }: LeagueOptions<C>,
): League<C> {
  const { given, params: all, zone, ignored: badZone, write } = useZonedAddress()
  const {
    selected,
    rest: asked,
    ignored: badNames,
  } = useMemo(() => splitSelected(all, selectable), [all, selectable])
  const { query, ignored } = useMemo(() => readLeniently(schema, asked), [schema, asked])
  const params = useMemo(() => toParams(apiSchema, query), [query, apiSchema])
  const toChanged = useCallback(
    (change: Change<C>) =>
      withSelected(toParams(schema, { ...query, page: 1, ...change }), selected),
    [schema, query, selected],
  )
  const select = useCallback(
    (names: readonly string[]) => write(withSelected(toParams(schema, query), names), 'replace'),
    [schema, query, write],
  )
  return {
    query,
    params,
    given,
    ignored: [...badZone, ...badNames, ...ignored],
    selected,
    selectable,
    select,
    hrefFor: (change) =>
      `${path}${toQueryText(toParams(outlookQuery, { tz: zone }, toChanged(change)))}`,
    change: (change, how) => write(toChanged(change), how),
  }
}

type RowPictureProps = {
  reading: string
  /** `left, top, width, height` of the viewBox. */
  box: readonly [number, number, number, number]
  children: ReactNode
}

/** One SVG per row: keep its elements few. */
export const RowPicture = ({ reading, box, children }: RowPictureProps) => (
  <svg role="img" viewBox={box.join(' ')} preserveAspectRatio="none">
    <title>{reading}</title>
    {children}
  </svg>
)

type RulePopoverProps = {
  name: string
  children: ReactNode
  className?: string
}

const BEHIND_HEADING = '-mr-6 -mb-1.5 align-bottom'

export const RulePopover = ({ name, children, className }: RulePopoverProps) => (
  <Rule className={className ?? BEHIND_HEADING} name={name}>
    {children}
  </Rule>
)
