'use client'

import { useQuery } from '@tanstack/react-query'
import Papa from 'papaparse'
import { useState } from 'react'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { formatCounted } from '#components/format/numbers.ts'
import { Button } from '#components/ui/button.tsx'
import { Checkbox } from '#components/ui/fields.tsx'
import { Popover } from '#components/ui/popover.tsx'
import { HeaderCell, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import { fetchFile } from '#lib/client/fetch-api.ts'
import { toApiError } from '#lib/client/parse-answer.ts'
import type { Dump } from '#lib/contract/answers/status.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { dumpPath } from './dump-download.tsx'

const FIRST_BYTES = 65_536
const MOST_BYTES = 1_048_576

export function FirstRows({ dump }: { dump: Dump }) {
  const [length, setLength] = useState(0)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const { kind, edition, columns, first_rows } = dump
  const preview = useQuery({
    queryKey: ['preview', kind, edition?.sha256, length],
    queryFn: ({ signal }) => loadPreview(dumpPath(kind), length, signal),
    enabled: length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (last) => last,
  })
  const rows = preview.data?.rows ?? first_rows
  const isAll = preview.data?.isWhole ?? rows.length === edition?.rows
  const canShowMore = !isAll && length < MOST_BYTES && !preview.isFetching
  return (
    <>
      <PreviewTable kind={kind} columns={columns} rows={rows} hidden={hidden} />
      {preview.isError && (
        <FailureNotice
          what="More rows"
          error={preview.error}
          onRetry={() => void preview.refetch()}
        />
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pt-2 text-ink-3">
        <span aria-live="polite">
          {isAll ? 'All' : 'The first'} {formatCounted(rows.length, 'row')}
        </span>
        {!(isAll && length === 0) && (
          // Kept at the end, so that keyboard focus is not lost.
          <Button
            size="small"
            aria-disabled={!canShowMore}
            onClick={() => canShowMore && setLength(length === 0 ? FIRST_BYTES : length * 4)}
          >
            Show more rows<span className="sr-only"> of the {kind} dump</span>
          </Button>
        )}
        <ColumnChoice kind={kind} columns={columns} hidden={hidden} onChange={setHidden} />
      </div>
    </>
  )
}

type PreviewTableProps = Pick<Dump, 'kind' | 'columns'> & {
  rows: readonly string[][]
  hidden: ReadonlySet<string>
}

function PreviewTable({ kind, columns, rows, hidden }: PreviewTableProps) {
  const shown = columns
    .map((column, index) => ({ ...column, index, isNumeric: column.type !== 'text' }))
    .filter(({ name }) => !hidden.has(name))
  const label = `First rows of the ${kind} dump`
  return (
    <TableFrame bare aria-label={label} className="min-h-0 max-lg:max-h-64">
      <Table compact aria-label={label} className="dump-rows">
        <TableHead className="sticky top-0 bg-surface">
          {shown.map(({ name, isNumeric }) => (
            <HeaderCell key={name} numeric={isNumeric} className="first:pl-0">
              {toVisibleText(name)}
            </HeaderCell>
          ))}
        </TableHead>
        <tbody>
          {rows.map((cells, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: records have no name, keep their places and hold no state
            <tr key={place}>
              {shown.map(({ name, index, isNumeric }) => (
                <td key={name} className={isNumeric ? 'number' : undefined}>
                  {toVisibleText(cells[index] ?? '')}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </TableFrame>
  )
}

type ColumnChoiceProps = Pick<Dump, 'kind' | 'columns'> & {
  hidden: ReadonlySet<string>
  onChange: (hidden: ReadonlySet<string>) => void
}

function ColumnChoice({ kind, columns, hidden, onChange }: ColumnChoiceProps) {
  const shown = columns.filter(({ name }) => !hidden.has(name)).length
  const toggle = (name: string) => {
    const next = new Set(hidden)
    if (!next.delete(name)) next.add(name)
    onChange(next)
  }
  return (
    <Popover
      label={`Columns of the ${kind} dump`}
      align="start"
      className="w-max gap-x-6 p-3 *:break-inside-avoid sm:columns-2"
      trigger={
        <Button size="small">
          Columns {shown === columns.length ? '' : `${shown} of ${columns.length} `}
          <span className="sr-only">of the {kind} dump</span>
        </Button>
      }
    >
      {columns.map(({ name }) => (
        <Checkbox
          key={name}
          label={toVisibleText(name)}
          checked={!hidden.has(name)}
          disabled={shown === 1 && !hidden.has(name)}
          onChange={() => toggle(name)}
        />
      ))}
    </Popover>
  )
}

type Preview = { rows: string[][]; isWhole: boolean }

/** Throws ApiError or the abort error. `length`: bytes. */
async function loadPreview(url: string, length: number, signal: AbortSignal): Promise<Preview> {
  const response = await fetchFile(url, {
    headers: { range: `bytes=0-${length - 1}` },
    signal,
  })
  if (!response.ok) throw toApiError(response, await response.json().catch(() => null))
  const bytes = await response.arrayBuffer()
  const isWhole = toTotal(response) <= bytes.byteLength
  return { rows: toRows(bytes, isWhole), isWhole }
}

/** 0 for a full response, Infinity if unknown. */
function toTotal({ status, headers }: Response): number {
  if (status !== 206) return 0
  return Number(
    /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1] ?? Number.POSITIVE_INFINITY,
  )
}

/** Without the header and, unless `isWhole`, without the last record, which may be cut off. */
export function toRows(bytes: ArrayBuffer, isWhole: boolean): string[][] {
  const { data } = Papa.parse<string[]>(new TextDecoder().decode(bytes), {
    skipEmptyLines: 'greedy',
  })
  return data.slice(1, isWhole ? undefined : -1)
}
