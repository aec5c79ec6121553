'use client'

import { useQuery } from '@tanstack/react-query'
import { EditionLink } from '#components/answer/edition-link.tsx'
import { toEditionNote } from '#components/answer/edition-text.ts'
import { FailureNotice } from '#components/answer/failure-notice.tsx'
import { formatEdition } from '#components/format/instant.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { ShortHash } from '#components/ui/short-hash.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { Cell, HeaderCell, Row, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import { editionsOptions } from '#lib/client/query-options.ts'
import type { Dump, EditionEntry } from '#lib/contract/answers/status.ts'

type EditionListProps = {
  kind: Dump['kind']
  /** What is asked: how each differs from the one before it, or the files. */
  view: 'changes' | 'files'
}

/** The editions of a dump that are kept here. */
export function EditionList({ kind, view }: EditionListProps) {
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
  const kept = answer.data.data[kind]
  return view === 'changes' ? (
    <Changes kind={kind} kept={kept} />
  ) : (
    <Files kind={kind} kept={kept.filter(({ state }) => state !== 'current')} />
  )
}

type ListProps = { kind: Dump['kind']; kept: readonly EditionEntry[] }

function Changes({ kind, kept }: ListProps) {
  const formats = useFormats()
  const label = `Changes of the ${kind} dump from week to week`
  return (
    <>
      <TableFrame bare aria-label={label}>
        <Table aria-label={label}>
          <TableHead>
            <HeaderCell className="first:pl-0">Edition</HeaderCell>
            <HeaderCell numeric>Rows</HeaderCell>
            <HeaderCell className="w-full">Against the one before</HeaderCell>
          </TableHead>
          <tbody>
            {kept.map((edition) => (
              <Row key={edition.file_name} compact>
                <Cell className="first:pl-0">{formatEdition(edition.edition)}</Cell>
                <Cell numeric>{formats.formatCount(edition.rows)}</Cell>
                <Cell className="text-ink-2 max-sm:whitespace-normal">
                  {toEditionNote(edition, formats)}
                </Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      </TableFrame>
      <p className="pt-2 text-ink-3">
        Records are told apart by their id; without one, by all of their text.
      </p>
    </>
  )
}

function Files({ kind, kept }: ListProps) {
  const { formatBytes, formatCount } = useFormats()
  if (kept.length === 0) {
    return <p className="pt-2 text-ink-3">Only the current edition is here: it is the first.</p>
  }
  const label = `Earlier editions of the ${kind} dump`
  return (
    <TableFrame bare aria-label={label}>
      <Table aria-label={label}>
        <TableHead>
          <HeaderCell className="first:pl-0">File</HeaderCell>
          <HeaderCell numeric>Rows</HeaderCell>
          <HeaderCell numeric>Size</HeaderCell>
          <HeaderCell className="w-full">SHA-256</HeaderCell>
        </TableHead>
        <tbody>
          {kept.map(({ file_name, state, rows, bytes, sha256 }) => (
            <Row key={file_name} compact>
              <Cell className="first:pl-0">
                <EditionLink fileName={file_name} />
                {state === 'aside' && <span className="text-ink-3"> set aside</span>}
              </Cell>
              <Cell numeric>{formatCount(rows)}</Cell>
              <Cell numeric>{formatBytes(bytes)}</Cell>
              <Cell>
                <ShortHash sha256={sha256} />
              </Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </TableFrame>
  )
}
