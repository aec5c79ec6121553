'use client'

import { useEffect, useRef, useState } from 'react'
import { atMostEvery } from '#components/ui/throttle.ts'
import { ApiError } from '#lib/client/api-error.ts'
import type { ExportFormat } from '#lib/contract/export-choice.ts'
import {
  CutShort,
  type ExportJob,
  type Progress,
  type Received,
  receiveExport,
} from './receive-export.ts'
import { createHeldSink, openPickedSink, type Sink } from './sinks.ts'

export type ExportState =
  | { phase: 'idle' }
  | { phase: 'running'; format: ExportFormat; progress: Progress | null }
  | { phase: 'saved'; received: Received }
  | { phase: 'cancelled' }
  | { phase: 'cut-short'; progress: Progress }
  | { phase: 'failed'; message: string }

const SHOWN_EVERY_MS = 100

/** Exports one file at a time, with progress. Nothing is saved that is not whole. */
export function useExport() {
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
    const options = { fetchFile: fetch, signal, onProgress }
    const received = await receiveExport(job, sink, options).finally(show.stop)
    if (!signal.aborted) setState({ phase: 'saved', received })
  }

  /** `toSink` is called at once, while the reader's click still counts as his. Null: he thought better of it. */
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
  return {
    state,
    download: (job: ExportJob) => void start(job, async () => createHeldSink(TYPES[job.format])),
    saveTo: (job: ExportJob) => void start(job, async () => await openPickedSink(job.fileName)),
    cancel: () => {
      running.current?.abort()
      setState({ phase: 'cancelled' })
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

/** Why a browser could not keep a file, by the name that it gives the problem. */
function toStorageProblem(error: unknown): string {
  const name = error instanceof Error || error instanceof DOMException ? error.name : ''
  if (name === 'QuotaExceededError') return 'There is no room left on this device.'
  if (name === 'NotAllowedError' || name === 'SecurityError') {
    return 'This browser was not allowed to write the file.'
  }
  return 'This browser could not keep the file.'
}
