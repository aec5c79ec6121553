'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FailureNotice } from '#components/answer/failure-notice.tsx'
import { useFormats } from '#components/format/use-formats.tsx'
import { Button } from '#components/ui/button.tsx'
import type { Dump } from '#lib/contract/answers/status.ts'
import { ColumnChoice } from './column-choice.tsx'
import { dumpPath } from './dump-names.ts'
import { loadPreview } from './load-preview.ts'
import { PreviewTable } from './preview-table.tsx'

const FIRST_BYTES = 65_536
const MOST_BYTES = 1_048_576

/** The first records of a dump, and more of them for who asks; any columns, of which each can be left out. */
export function FirstRows({ dump }: { dump: Dump }) {
  const { formatCounted } = useFormats()
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
          // It stays when there are no more: whoever pressed it must not lose his place.
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
