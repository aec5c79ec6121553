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
import { HeaderCell, SortHeader, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
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
  /** Moves the name above its numbers, where something stands at their right. */
  headClassName?: string
  /**
   * Its place on a card, which a row is on a narrow screen: the `lead` stands beside the row's name, a `figure` below it.
   * Any other is there only while the table is sorted by it.
   */
  card?: 'lead' | 'figure'
  /** What it is called there, where its label is long. */
  cardLabel?: string
  /** How its cells look, beyond what all cells do: a class of a style sheet. */
  cellClassName?: string
  /** Shown to who points at a cell of it. */
  toTitle?: (row: R, formats: Formats) => string | undefined
  /** How its figure is ranked, to be opened beside the heading. */
  rule?: ReactNode
  /** `sort` is how the table is sorted: what is shown may say why. */
  render: (row: R, sort: Sort<C>) => ReactNode
} & (
  | {
      sort: C
      /** The end that a first click sorts from. */
      usual: Sort<C>['direction']
    }
  /** A column that no table can be sorted by: a drawing. */
  | { sort: null; usual?: never }
)

type LeagueTableProps<R, C extends string> = {
  name: string
  league: League<C>
  columns: readonly LeagueColumn<R, C>[]
  rows: readonly R[]
  rowKey: (row: R) => string | number
  /** The rows are those of the query before, while the new ones load. */
  isDimmed: boolean
}

/**
 * A league table that sorts by its headings. Its cells are styled by their table and their column's class
 * (`league.css`): there are hundreds, and each attribute is sent for each. The first column names its row. On a narrow screen the rows are cards, and
 * the headings stand above them in as many lines as they take.
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

/** The rows with what is selected among them. Order and page are the server's. */
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
      // Those that are selected can always be given up.
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
      // A browser that comes back to the page would check what it was.
      autoComplete="off"
    />
  )
}

/** Where a narrow screen shows a cell in a card, its name there: what the table is sorted by stands on a card too. */
function toCardPart<R, C extends string>(
  { label, sort, card, cardLabel, cellClassName }: LeagueColumn<R, C>,
  index: number,
  league: League<C>,
) {
  const isSorted = sort !== null && sort === league.query.sort.column
  const isNamed = index > 0 && (card !== undefined || isSorted)
  const className = classNames(cellClassName, card === 'lead' && 'lead')
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
  const { label, numeric, headClassName, rule, usual } = column
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
      direction={sort.column === column.sort ? sort.direction : null}
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

/** The schema of a league table's query. */
type LeagueSchema<C extends string> = {
  parameters: LeagueParameters<C>
  order: readonly string[]
  // A method, so that the schemas of both leagues fit: what only one of them takes is optional here.
  refuse(values: ValuesOf<LeagueParameters<C>>): readonly Issue[]
}

type Change<C extends string> = Partial<LeagueQuery<C>>

/** A league table's query, and the ways to change it: by a link's address, or at once. */
export type League<C extends string> = {
  query: LeagueQuery<C>
  /** The query as the API is asked it. */
  params: URLSearchParams
  /** The address as it stands, and what of it had to be ignored. */
  given: URLSearchParams
  ignored: readonly Issue[]
  /** The rows that are selected, by their names in the order of choosing; `selectable` null: none can be. */
  selected: readonly string[]
  selectable: Selectable | null
  select: (names: readonly string[]) => void
  hrefFor: (change: Change<C>) => string
  change: (change: Change<C>, how?: 'push' | 'replace') => void
}

type LeagueOptions<C extends string> = {
  /** Without parameters it is the standard of the page's address. */
  schema: LeagueSchema<C>
  /** The API's own, where its standard is another. */
  asked?: LeagueSchema<C>
  selectable?: Selectable | null
}

/**
 * Reads the league's query from the address of the page at `path`. What is selected stands in the address too, and stays
 * with it from page to page and from order to order.
 */
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
  /** What it draws, in words. */
  reading: string
  /** The part of the drawing's own units that fills its cell: left, top, width, height. */
  box: readonly [number, number, number, number]
  /** One path, drawn in the ink of the text. */
  children: ReactNode
}

/** A small drawing in a row of a league table: of fifty, each element counts. */
export const RowPicture = ({ reading, box, children }: RowPictureProps) => (
  <svg role="img" viewBox={box.join(' ')} preserveAspectRatio="none">
    <title>{reading}</title>
    {children}
  </svg>
)

type RulePopoverProps = {
  /** What the rule is about, the button's name: "How consensus is ranked". */
  name: string
  /** The rule and its source. */
  children: ReactNode
  /** Where its button stands, if not behind a heading. */
  className?: string
}

const BEHIND_HEADING = '-mr-6 -mb-1.5 align-bottom'

/**
 * The rule behind a column's heading. Its button hangs over the space at the right, so that the heading still ends
 * where its numbers do.
 */
export const RulePopover = ({ name, children, className }: RulePopoverProps) => (
  <Rule className={className ?? BEHIND_HEADING} name={name}>
    {children}
  </Rule>
)
