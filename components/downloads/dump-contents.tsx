'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { EditionLink, ShortHash } from '#components/feedback/dump-edition.tsx'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { formatBytes, formatCount } from '#components/format/numbers.ts'
import { Segmented } from '#components/ui/fields.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { Cell, HeaderCell, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import { editionsOptions } from '#lib/client/list-options.ts'
import type { Dump, EditionEntry } from '#lib/contract/answers/status.ts'
import { DumpLines } from './dump-lines.tsx'
import { FirstRows } from './dump-preview.tsx'

type View = 'rows' | 'columns' | 'earlier' | 'lines'

export function DumpContents({ dump }: { dump: Dump }) {
  const [view, setView] = useState<View>('rows')
  return (
    <>
      <Segmented
        label={`Show for the ${dump.kind} dump`}
        value={view}
        onChange={setView}
        className="-ml-2.5 flex-wrap"
        options={[
          { value: 'rows', label: 'First rows' },
          { value: 'columns', label: `${dump.columns.length} columns` },
          { value: 'earlier', label: 'Earlier editions' },
          { value: 'lines', label: 'Open in' },
        ]}
      />
      <div className="flex min-h-64 min-w-0 grow flex-col lg:min-h-0 lg:overflow-y-auto">
        {view === 'rows' && <FirstRows dump={dump} />}
        {view === 'earlier' && <EarlierEditions kind={dump.kind} />}
        {view === 'columns' && <Columns dump={dump} />}
        {view === 'lines' && <DumpLines dump={dump} />}
      </div>
    </>
  )
}

const Columns = ({ dump: { columns } }: { dump: Dump }) => (
  <dl className="grid grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] gap-x-8 pt-1">
    {columns.map(({ name, type }) => (
      <div key={name} className="flex min-h-[26px] items-center justify-between gap-3 border-b">
        <dt className="font-mono text-sm">{name}</dt>
        <dd className="text-sm text-ink-3">{type}</dd>
      </div>
    ))}
  </dl>
)

function EarlierEditions({ kind }: { kind: Dump['kind'] }) {
  const answer = useQuery(editionsOptions())
  if (answer.isError && !answer.data) {
    return (
      <FailureNotice
        what="The editions"
        error={answer.error}
        onRetry={() => void answer.refetch()}
      />
    )
  }
  if (!answer.data) return <Skeleton height={160} />
  const earlier = answer.data.data[kind].filter(({ state }) => state !== 'current')
  return <Files kind={kind} kept={earlier} />
}

type FilesProps = { kind: Dump['kind']; kept: readonly EditionEntry[] }

function Files({ kind, kept }: FilesProps) {
  if (kept.length === 0) {
    return <p className="pt-2 text-ink-3">Only the current edition is here: it is the first.</p>
  }
  const label = `Earlier editions of the ${kind} dump`
  return (
    <TableFrame bare aria-label={label}>
      <Table compact aria-label={label}>
        <TableHead>
          <HeaderCell className="first:pl-0">File</HeaderCell>
          <HeaderCell numeric>Rows</HeaderCell>
          <HeaderCell numeric>Size</HeaderCell>
          <HeaderCell className="w-full">SHA-256</HeaderCell>
        </TableHead>
        <tbody>
          {kept.map(({ file_name, state, rows, bytes, sha256 }) => (
            <tr key={file_name}>
              <Cell className="first:pl-0">
                <EditionLink fileName={file_name} />
                {state === 'aside' && <span className="text-ink-3"> set aside</span>}
              </Cell>
              <Cell numeric>{formatCount(rows)}</Cell>
              <Cell numeric>{formatBytes(bytes)}</Cell>
              <Cell>
                <ShortHash sha256={sha256} />
              </Cell>
            </tr>
          ))}
        </tbody>
      </Table>
    </TableFrame>
  )
}
