'use client'

import { type ReactNode, useCallback, useMemo } from 'react'
import { Surface } from 'recharts'
import { useZonedAddress } from '#components/address/use-address.ts'
import { classNames } from '#components/ui/class-names.ts'
import { HelpPopover as Rule } from '#components/ui/help-popover.tsx'
import {
  Cell,
  HeaderCell,
  Row,
  SortHeader,
  Table,
  TableFrame,
  TableHead,
} from '#components/ui/table.tsx'
import type { Issue } from '#lib/contract/faults.ts'
import { withZone } from '#lib/contract/outlook.ts'
import type { Sort } from '#lib/contract/parameters.ts'
import {
  type Parameter,
  type QuerySchema,
  readLeniently,
  toDefaults,
} from '#lib/contract/query-schema.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'
import { type LeagueQuery, toLeagueParams, toNextSort } from './league-query.ts'

export type LeagueColumn<R, C extends string> = {
  label: string
  numeric?: boolean
  /** Moves the name above its numbers, where something stands at their right. */
  headClassName?: string
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

/** A league table that sorts by its headings. The first column names its row. */
export function LeagueTable<R, C extends string>(props: LeagueTableProps<R, C>) {
  const { name, league, columns, rows, rowKey, isDimmed } = props
  return (
    <TableFrame aria-label={name}>
      <Table aria-label={name} aria-busy={isDimmed}>
        <TableHead>
          {columns.map((column, index) => (
            <Heading
              key={column.label}
              className={index === 0 ? STAYING : undefined}
              column={column}
              league={league}
            />
          ))}
        </TableHead>
        <tbody id="rows" tabIndex={-1} className={isDimmed ? 'opacity-60' : undefined}>
          {rows.map((row) => (
            <Row key={rowKey(row)}>
              {columns.map((column, index) => (
                <Cell
                  key={column.label}
                  numeric={column.numeric}
                  className={index === 0 ? FIRST : undefined}
                >
                  {column.render(row, league.query.sort)}
                </Cell>
              ))}
            </Row>
          ))}
        </tbody>
      </Table>
    </TableFrame>
  )
}

function Heading<R, C extends string>({
  column,
  league,
  className,
}: {
  column: LeagueColumn<R, C>
  league: League<C>
  className?: string
}) {
  const { label, numeric, headClassName, rule, usual } = column
  if (column.sort === null || usual === undefined) {
    return (
      <HeaderCell className={classNames(headClassName, className)} numeric={numeric}>
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
      className={classNames(headClassName, className)}
      edge={rule}
      label={label}
      numeric={numeric}
      onSort={() => league.change({ sort: next })}
    />
  )
}

/** Where the table scrolls sideways, the names of its rows stay. */
const STAYING = 'max-sm:sticky max-sm:left-0 max-sm:z-1 max-sm:bg-surface'

/** The name of a row may be long: the figures beside it stay in view. */
const FIRST = `max-w-72 truncate font-medium max-sm:max-w-36 ${STAYING}`

/** The parameters of a league table's query. */
type LeagueSchema<C extends string> = QuerySchema<{
  [K in keyof LeagueQuery<C>]: Parameter<LeagueQuery<C>[K]>
}>

type Change<C extends string> = Partial<LeagueQuery<C>>

/** A league table's query, and the ways to change it: by a link's address, or at once. */
export type League<C extends string> = {
  query: LeagueQuery<C>
  /** The query as the API is asked it. */
  params: URLSearchParams
  /** The address as it stands, and what of it had to be ignored. */
  given: URLSearchParams
  ignored: readonly Issue[]
  hrefFor: (change: Change<C>) => string
  change: (change: Change<C>, how?: 'push' | 'replace') => void
}

/** Reads the league's query from the address of the page at `path`; `schema` without parameters is its standard. */
export function useLeague<C extends string>(path: string, schema: LeagueSchema<C>): League<C> {
  const { given, params: asked, zone, ignored: badZone, write } = useZonedAddress()
  const standard = useMemo(() => toDefaults(schema), [schema])
  const { query, ignored } = useMemo(() => readLeniently(schema, asked), [schema, asked])
  const params = useMemo(() => toLeagueParams(query, standard), [query, standard])
  const toParams = useCallback(
    (change: Change<C>) => toLeagueParams({ ...query, page: 1, ...change }, standard),
    [query, standard],
  )
  return {
    query,
    params,
    given,
    ignored: [...badZone, ...ignored],
    hrefFor: (change) => `${path}${toQueryText(withZone(toParams(change), zone))}`,
    change: (change, how) => write(toParams(change), how),
  }
}

type RowPictureProps = {
  /** What it draws, in words. */
  reading: string
  /** In pixels. */
  width: number
  height: number
  /** Where the hairline stands that it is read against, in pixels from the top. */
  lineY: number
  children: ReactNode
}

/** A small drawing in a row of a league table, in the ink of its text. A wide window draws it as much wider. */
export const RowPicture = ({ reading, width, height, lineY, children }: RowPictureProps) => (
  <Surface
    aria-label={reading}
    className="inline-block align-middle text-ink-2 vast:w-[22vw] forced-colors:text-[CanvasText]"
    height={height}
    preserveAspectRatio="none"
    role="img"
    title={reading}
    width={width}
  >
    <line className="stroke-line" x1={0} x2={width} y1={lineY} y2={lineY} />
    {children}
  </Surface>
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
