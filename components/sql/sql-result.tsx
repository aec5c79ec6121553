'use client'

import dynamic from 'next/dynamic'
import { formatCount } from '#components/format/numbers.ts'
import { type ListCell, ListTable } from '#components/list/list-table.tsx'
import { Pager } from '#components/list/pager.tsx'
import type { ListView } from '#components/list/use-list.ts'
import { useListTable } from '#components/list/use-list-table.ts'
import { AsOfLink, SymbolLink } from '#components/time/as-of.tsx'
import { Segmented, Select } from '#components/ui/fields.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { EmptyState, Notice } from '#components/ui/messages.tsx'
import type { Field } from '#lib/contract/lists/define-list.ts'
import { parseUserId, type SqlQuery, toUserHref } from '#lib/contract/page-addresses.ts'
import { isProblem, readSymbol, type Sort } from '#lib/contract/query-parameters.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import type { Cells, SqlResult } from './engine.ts'
import { type Column, isNumeric, SHOWN_COLUMNS, SHOWN_LENGTH, toSort } from './statement.ts'

const CHART_PX = 320

const ResultChart = dynamic(async () => (await import('./result-chart.tsx')).ResultChart, {
  loading: () => <Skeleton className="rounded-lg" height={CHART_PX} />,
})

const PAGE_ROWS = 100

type SqlResultProps = {
  result: SqlResult
  view: Pick<ListView<SqlQuery>, 'query' | 'hrefFor' | 'change'>
  isDimmed: boolean
}

export function SqlResultView({ result, view, isDimmed }: SqlResultProps) {
  const { columns, rows } = result
  if (rows.length === 0) {
    return (
      <EmptyState className="rounded-lg border bg-surface" title="The query returned no rows">
        Its columns are {columns.map(({ name }) => toVisibleText(name)).join(', ')}.
      </EmptyState>
    )
  }
  const pages = Math.ceil(rows.length / PAGE_ROWS)
  const page = Math.min(view.query.page, pages)
  const from = (page - 1) * PAGE_ROWS
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Chart result={result} view={view} />
      {columns.length > SHOWN_COLUMNS && (
        <Notice title={`The first ${SHOWN_COLUMNS} of ${columns.length} columns`}>
          Files have all of them.
        </Notice>
      )}
      <ResultTable
        columns={columns.slice(0, SHOWN_COLUMNS)}
        isDimmed={isDimmed}
        rows={rows.slice(from, from + PAGE_ROWS)}
        view={view}
      />
      {pages > 1 && (
        <Pager
          hrefFor={(number) => view.hrefFor({ page: number })}
          number={page}
          onPage={(number) => view.change({ page: number })}
          pages={pages}
          size={PAGE_ROWS}
          total={rows.length}
        />
      )}
    </div>
  )
}

type SortChange = { sort: Sort<string> }

type ResultTableProps = Omit<SqlResultProps, 'result'> & {
  columns: readonly Column[]
  rows: readonly Cells[]
}

function ResultTable({ columns, rows, view, isDimmed }: ResultTableProps) {
  const fields = columns.map(({ name, type }): [string, Field] => [
    name,
    {
      label: toVisibleText(name),
      type: 'text',
      numeric: isNumeric(type) || undefined,
      sort: isNumeric(type) ? 'desc' : 'asc',
    },
  ])
  const cells = columns.map(({ name, type }, index): [string, ListCell<Cells>] => [
    name,
    {
      card: index === 0 ? 'name' : undefined,
      render: (row) => (
        <LinkedText
          column={name}
          text={toCellText(row[index] ?? null, type)}
          value={row[index] ?? null}
        />
      ),
    },
  ])
  const sort = toSort(view.query.sort, columns) ?? { column: '', direction: 'asc' }
  const props = {
    cells: Object.fromEntries(cells),
    list: {
      fields: Object.fromEntries(fields),
      filters: [],
      table: columns.map(({ name }) => name),
    },
    view: {
      query: { sort },
      hrefFor: (changed: SortChange) => view.hrefFor({ sort: toSortText(changed.sort) }),
      change: (changed: SortChange) => view.change({ sort: toSortText(changed.sort) }),
    },
  }
  const model = useListTable({ ...props, rows, toKey })
  return (
    <div className="max-w-full min-w-0 md:w-fit md:min-w-96">
      <ListTable {...props} id="rows" isDimmed={isDimmed} model={model} name="Result" />
    </div>
  )
}

type LinkedTextProps = { column: string; value: string | null; text: string | null }

/** Links what columns of the database file hold under these names. */
function LinkedText({ column, value, text }: LinkedTextProps) {
  if (value !== null && column === 'symbol' && !isProblem(readSymbol(value))) {
    return <SymbolLink symbol={value} />
  }
  const userId = value !== null && column === 'user_id' ? parseUserId(value) : null
  if (userId === null) return <CellText text={text} />
  return (
    <AsOfLink className="link" href={toUserHref(userId)}>
      {userId}
    </AsOfLink>
  )
}

const toKey = (_: Cells, index: number) => String(index)

const toSortText = ({ column, direction }: Sort<string>) =>
  direction === 'desc' ? `-${column}` : column

function CellText({ text }: { text: string | null }) {
  if (text === null) return <span className="text-ink-3">NULL</span>
  const isCut = text.length > SHOWN_LENGTH
  return (
    <bdi className={text.length > LONG ? 'block max-w-[60ch] whitespace-normal wrap-anywhere' : ''}>
      {toVisibleText(isCut ? text.slice(0, SHOWN_LENGTH) : text)}
      {isCut && <span title="Cut here. Files have the whole text."> …</span>}
    </bdi>
  )
}

const LONG = 60

/** Doubles have more digits than the page has room for; other values are exact. */
const toCellText = (value: string | null, type: string): string | null =>
  value !== null && (type === 'DOUBLE' || type === 'FLOAT') ? toShortDouble(value) : value

function toShortDouble(text: string): string {
  const number = Number(text)
  if (!Number.isFinite(number) || Number.isInteger(number)) return text
  const isSmall = Math.abs(number) < 1
  return String(Number(isSmall ? number.toPrecision(MOST_DIGITS) : number.toFixed(MOST_DIGITS)))
}

const MOST_DIGITS = 4

const CHARTS = [
  { value: 'none', label: 'No chart' },
  { value: 'line', label: 'Line' },
  { value: 'bar', label: 'Bars' },
  { value: 'scatter', label: 'Points' },
] as const

function Chart({ result, view }: Pick<SqlResultProps, 'result' | 'view'>) {
  const { chart } = view.query
  const columns = result.columns.slice(0, SHOWN_COLUMNS)
  const numbers = columns.filter(({ type }) => isNumeric(type))
  if (numbers.length === 0) return null
  const x = columns.find(({ name }) => name === view.query.x) ?? columns[0]
  const y =
    numbers.find(({ name }) => name === view.query.y) ??
    numbers.find(({ name }) => name !== x?.name) ??
    numbers[0]
  if (!x || !y) return null
  const change = (changed: Partial<SqlQuery>) => view.change({ page: view.query.page, ...changed })
  const toOptions = (given: readonly Column[]) =>
    given.map(({ name }) => ({ value: name, label: toVisibleText(name) }))
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Segmented
          className="-ml-1"
          label="Chart"
          onChange={(value) => change({ chart: value === 'none' ? null : value })}
          options={CHARTS}
          value={chart ?? 'none'}
        />
        {chart !== null && (
          <>
            <Select
              label="Across"
              onChange={({ target }) => change({ x: target.value })}
              options={toOptions(columns)}
              value={x.name}
            />
            <Select
              label="Up"
              onChange={({ target }) => change({ y: target.value })}
              options={toOptions(numbers)}
              value={y.name}
            />
          </>
        )}
      </div>
      {chart !== null && (
        <ResultChart
          chart={chart}
          heightPx={CHART_PX}
          rows={result.rows}
          x={{ ...x, index: columns.indexOf(x) }}
          y={{ ...y, index: columns.indexOf(y) }}
        />
      )}
      {chart !== null && result.hasMore && (
        <p className="text-sm text-ink-3">
          Drawn from the first {formatCount(result.rows.length)} rows.
        </p>
      )}
    </div>
  )
}
