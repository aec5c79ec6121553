'use client'

import type { MouseEvent } from 'react'
import { useFormats } from '#components/format/use-formats.tsx'
import { Button, ButtonLink } from '#components/ui/button.tsx'
import { LiveRegion } from '#components/ui/live-region.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { isPlainClick } from '#components/ui/plain-click.ts'
import { ProgressBar } from '#components/ui/progress-bar.tsx'
import type { Dump } from '#lib/contract/answers/status.ts'
import { dumpFileName, dumpPath } from './dump-names.ts'
import { type DownloadState, useDownload } from './use-download.ts'

/** What a page may hold in memory; larger files are left to the browser's own downloads. */
const HELD_MAX_BYTES = 200_000_000

/** The download itself: a plain link, which the page follows with progress and verification where it can. */
export function DownloadButton({ dump }: { dump: Dump }) {
  const path = dumpPath(dump.kind)
  const { state, start, resume, cancel } = useDownload(path, dumpFileName(dump))
  const bytes = dump.edition?.bytes
  const { formatBytes } = useFormats()
  const onClick = (event: MouseEvent) => {
    if (!isPlainClick(event) || (bytes ?? 0) > HELD_MAX_BYTES) return
    event.preventDefault()
    if (state.phase !== 'running' && state.phase !== 'verifying') start()
  }
  return (
    <div className="flex flex-col gap-3">
      <div>
        <ButtonLink variant="solid" size="large" href={path} download onClick={onClick}>
          Download {dump.kind} dump
          {bytes !== undefined && ` · ${formatBytes(bytes)}`}
        </ButtonLink>
      </div>
      <DownloadReport state={state} kind={dump.kind} onResume={resume} onCancel={cancel} />
      <LiveRegion message={announce(state)} />
    </div>
  )
}

type ReportProps = {
  state: DownloadState
  kind: Dump['kind']
  onResume: () => void
  onCancel: () => void
}

function DownloadReport({ state, kind, onResume, onCancel }: ReportProps) {
  const { formatBytes } = useFormats()
  const describeBytes = ({ received, total }: { received: number; total: number | null }) =>
    total === null ? formatBytes(received) : `${formatBytes(received)} of ${formatBytes(total)}`
  switch (state.phase) {
    case 'idle':
      return null
    case 'running':
    case 'verifying':
      return (
        <div className="flex items-end gap-3">
          <ProgressBar
            className="min-w-0 grow"
            label={selectStep(state)}
            done={state.received}
            total={state.total}
            detail={describeBytes(state)}
          />
          <Button variant="quiet" size="small" onClick={onCancel}>
            Cancel<span className="sr-only"> the download of the {kind} dump</span>
          </Button>
        </div>
      )
    case 'saved':
      return <SavedLine fileName={state.fileName} verified={state.verified} />
    case 'spoilt':
      return (
        <Notice tone="failure" title="The file does not match its checksum">
          It was changed on its way and has not been saved. Please download it again.
        </Notice>
      )
    case 'broken':
      return (
        <Notice
          tone="failure"
          title={state.message}
          action={
            <Button size="small" onClick={onResume}>
              {state.received > 0 ? 'Resume' : 'Try again'}
            </Button>
          }
        >
          {state.received > 0 && `${describeBytes(state)} are here already.`}
        </Notice>
      )
  }
}

function SavedLine({ fileName, verified }: { fileName: string; verified: boolean | null }) {
  return (
    <p className="text-sm text-ink-2">
      <span aria-hidden className="text-good">
        ✓{' '}
      </span>
      Saved <span className="font-mono text-ink">{fileName}</span>
      {verified
        ? ', SHA-256 verified'
        : '. Compare its SHA-256 yourself: this browser cannot here.'}
    </p>
  )
}

/** Before the first byte the server may still be fetching the dump itself. */
const selectStep = ({ phase, received }: { phase: string; received: number }) => {
  if (phase === 'verifying') return 'Verifying'
  return received === 0 ? 'Waiting for the file' : 'Downloading'
}

function announce(state: DownloadState): string {
  if (state.phase === 'running') return 'Downloading'
  if (state.phase !== 'saved') return ''
  return `Saved ${state.fileName}${state.verified ? ', verified' : ''}`
}
