'use client'

import { useQuery } from '@tanstack/react-query'
import { EditionLink } from '#components/answer/edition-link.tsx'
import { toEditionNote } from '#components/answer/edition-text.ts'
import { FailureNotice } from '#components/answer/failure-notice.tsx'
import { useFormats } from '#components/format/use-formats.tsx'
import { ZonedDay } from '#components/time/instant.tsx'
import { ShortHash } from '#components/ui/short-hash.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { Cell, HeaderCell, Row, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import { editionsOptions } from '#lib/client/query-options.ts'
import type { EditionEntry } from '#lib/contract/answers/status.ts'
import { StatusPanel } from './panel-frame.tsx'

/** The dumps that are kept, with what tells one from the one before it. */
export function EditionsPanel() {
  const editions = useQuery(editionsOptions())
  const kept = editions.data && [...editions.data.data.posts, ...editions.data.data.lookups]
  return (
    <StatusPanel id="editions" title="Dumps kept here" detail="as they came, newest first">
      {editions.isPending && <Skeleton height={96} />}
      {editions.isError && !kept && (
        <FailureNotice
          what="The editions"
          error={editions.error}
          onRetry={() => void editions.refetch()}
        />
      )}
      {kept?.length === 0 && <p className="text-ink-3">None has been fetched yet.</p>}
      {kept && kept.length > 0 && <EditionTable kept={kept} />}
    </StatusPanel>
  )
}

function EditionTable({ kept }: { kept: readonly EditionEntry[] }) {
  const formats = useFormats()
  return (
    <TableFrame bare aria-label="Dumps kept here" className="-mx-5">
      <Table aria-label="Dumps kept here">
        <TableHead>
          <HeaderCell className="first:pl-5">File</HeaderCell>
          <HeaderCell numeric>Rows</HeaderCell>
          <HeaderCell numeric>Size</HeaderCell>
          <HeaderCell>Fetched</HeaderCell>
          <HeaderCell>SHA-256</HeaderCell>
          <HeaderCell className="w-full last:pr-5">Against the one before</HeaderCell>
        </TableHead>
        <tbody>
          {kept.map((edition) => (
            <Row key={edition.file_name}>
              <Cell className="first:pl-5">
                <EditionLink fileName={edition.file_name} />
              </Cell>
              <Cell numeric>{formats.formatCount(edition.rows)}</Cell>
              <Cell numeric>{formats.formatBytes(edition.bytes)}</Cell>
              <Cell>
                <ZonedDay seconds={edition.fetched_at} />
              </Cell>
              <Cell>
                <ShortHash sha256={edition.sha256} />
              </Cell>
              <Cell className="min-w-56 whitespace-normal text-ink-2 last:pr-5">
                {toEditionNote(edition, formats)}
              </Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </TableFrame>
  )
}
