'use client'

import { useEffect, useRef, useState } from 'react'
import { formatBytes, formatCount, formatCounted } from '#components/format/numbers.ts'
import { Button } from '#components/ui/button.tsx'
import { ProgressBar } from '#components/ui/loading.tsx'
import { Notice } from '#components/ui/messages.tsx'
import { atMostEvery } from '#components/ui/save-file.ts'
import { ApiError } from '#lib/client/api-error.ts'
import { fetchFile } from '#lib/client/fetch-api.ts'
import type { ExportFormat } from '#lib/contract/export-formats.ts'
import {
  CutShort,
  canPickFile,
  createHeldSink,
  type ExportJob,
  openPickedSink,
  type Progress,
  type ReceivedFile,
  receiveExport,
  type Sink,
} from './receive-export.ts'

type ExportState =
  | { phase: 'idle' }
  | { phase: 'running'; format: ExportFormat; progress: Progress | null }
  | { phase: 'saved'; received: ReceivedFile }
  | { phase: 'canceled' }
  | { phase: 'cut-short'; progress: Progress }
  | { phase: 'failed'; message: string }

const SHOWN_EVERY_MS = 100

/** Approximate bytes per row. */
const ROW_BYTES = { csv: 150, json: 430, ndjson: 430, parquet: 40 } as const
/** Larger exports stream to a file the user picks, if the browser supports it. */
const HELD_MAX_BYTES = 256_000_000

/** One export at a time. `rows`: how many it has; null if unknown. */
export function useExport(rows: number | null) {
  const [state, setState] = useState<ExportState>({ phase: 'idle' })
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  const run = async (job: ExportJob, sink: Sink, { signal }: AbortController) => {
    const { format } = job
    let progress: Progress | null = null
    const show = atMostEvery(SHOWN_EVERY_MS, () => {
      if (!signal.aborted) setState({ phase: 'running', format, progress })
    })
    show.call()
    const onProgress = (next: Progress) => {
      progress = next
      show.call()
    }
    const options = { fetchFile, signal, onProgress }
    const received = await receiveExport(job, sink, options).finally(show.stop)
    if (!signal.aborted) setState({ phase: 'saved', received })
  }

  /** `toSink` runs synchronously, during the user gesture. It returns null if canceled. */
  const start = async (job: ExportJob, toSink: () => Promise<Sink | null>) => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    try {
      const sink = await toSink()
      if (sink) await run(job, sink, controller)
    } catch (error) {
      if (!controller.signal.aborted) setState(toFailed(error))
    }
  }
  const saveTo = (job: ExportJob) => {
    if (state.phase !== 'running') void start(job, async () => await openPickedSink(job.fileName))
  }
  return {
    state,
    download: (job: ExportJob) => {
      const isLarge = (rows ?? 0) * ROW_BYTES[job.format] > HELD_MAX_BYTES
      if (isLarge && canPickFile()) saveTo(job)
      else if (state.phase !== 'running') {
        void start(job, async () => createHeldSink(TYPES[job.format]))
      }
    },
    saveTo,
    cancel: () => {
      running.current?.abort()
      setState({ phase: 'canceled' })
    },
  }
}

const TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
}

function toFailed(error: unknown): ExportState {
  if (error instanceof CutShort) return { phase: 'cut-short', progress: error.progress }
  if (error instanceof ApiError) return { phase: 'failed', message: error.message }
  return { phase: 'failed', message: toStorageProblem(error) }
}

function toStorageProblem(error: unknown): string {
  const name = error instanceof Error || error instanceof DOMException ? error.name : ''
  if (name === 'QuotaExceededError') return 'This device has no space left.'
  if (name === 'NotAllowedError' || name === 'SecurityError') {
    return 'This browser is not allowed to write the file.'
  }
  return 'This browser could not save the file.'
}

export function ExportReport({ state, onCancel }: { state: ExportState; onCancel: () => void }) {
  switch (state.phase) {
    case 'idle':
      return null
    case 'running':
      return (
        <div className="flex items-end gap-3">
          <ProgressBar
            className="min-w-0 grow"
            label={state.progress ? 'Exporting' : 'Waiting for the first rows'}
            done={toShare(state) ?? 0}
            total={toShare(state) === null ? null : 1}
            detail={state.progress ? toDetail(state.progress) : ''}
          />
          <Button size="small" onClick={onCancel}>
            Cancel<span className="sr-only"> the export</span>
          </Button>
        </div>
      )
    case 'saved': {
      const { fileName, declared, bytes } = state.received
      return (
        <p className="text-sm text-ink-2">
          <span aria-hidden className="text-good">
            ✓{' '}
          </span>
          Saved <span className="font-mono wrap-anywhere text-ink">{fileName}</span>: all{' '}
          {formatCounted(declared.rows, 'row')}, {formatBytes(bytes)}.
        </p>
      )
    }
    case 'canceled':
      return <p className="text-sm text-ink-2">Canceled. Nothing was saved.</p>
    case 'cut-short':
      return (
        <Notice tone="failure" title="The export was cut short">
          {toDetail(state.progress)} came. Nothing was saved.
        </Notice>
      )
    case 'failed':
      return (
        <Notice tone="failure" title={state.message}>
          Nothing was saved.
        </Notice>
      )
  }
}

/** `12,288 of 100,000 rows · 1.8 MB` */
function toDetail({ rows, bytes, declared }: Progress) {
  if (rows !== null) {
    return `${formatCount(rows)} of ${formatCount(declared.rows)} rows · ${formatBytes(bytes)}`
  }
  if (declared.bytes === null) return formatBytes(bytes)
  return `${formatBytes(bytes)} of ${formatBytes(declared.bytes)}`
}

export const isBroken = ({ phase }: ExportState) => phase === 'cut-short' || phase === 'failed'

/** 0 to 1; null if idle or unknown. */
export function toShare(state: ExportState): number | null {
  if (state.phase !== 'running' || !state.progress) return null
  const { rows, bytes, declared } = state.progress
  if (rows !== null) return declared.rows === 0 ? 1 : Math.min(1, rows / declared.rows)
  return declared.bytes ? Math.min(1, bytes / declared.bytes) : null
}

export function announce(state: ExportState): string {
  switch (state.phase) {
    case 'running':
      return 'Exporting'
    case 'saved':
      return `Saved all ${state.received.declared.rows} rows`
    case 'canceled':
      return 'The export was canceled. Nothing was saved.'
    default:
      return ''
  }
}
