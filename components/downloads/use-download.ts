'use client'

import { useEffect, useRef, useState } from 'react'
import { atMostEvery } from '#components/saving/at-most-every.ts'
import { saveFile } from '#components/saving/save-file.ts'
import { ApiError } from '#lib/client/api-error.ts'
import {
  downloadWithProgress,
  type Held,
  holdNothing,
  verifyChecksum,
} from './download-with-progress.ts'

/** Bytes are whole bytes; `total` is null where the server did not say. */
export type DownloadState =
  | { phase: 'idle' }
  | { phase: 'running' | 'verifying'; received: number; total: number | null }
  | { phase: 'saved'; fileName: string; verified: boolean | null }
  | { phase: 'spoilt' }
  | { phase: 'broken'; message: string; received: number; total: number | null }

const SHOWN_EVERY_MS = 100

/** Downloads one file with progress, and goes on where it broke off. */
export function useDownload(url: string, fallbackName: string) {
  const [state, setState] = useState<DownloadState>({ phase: 'idle' })
  const held = useRef<Held>(holdNothing())
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  const run = async () => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    const parts = held.current
    const show = (next: DownloadState) => {
      if (!controller.signal.aborted) setState(next)
    }
    const at = () => ({ received: parts.received, total: parts.total })
    const progress = atMostEvery(SHOWN_EVERY_MS, () => show({ phase: 'running', ...at() }))
    progress.call()
    try {
      await downloadWithProgress(url, parts, {
        fetchFile: fetch,
        signal: controller.signal,
        onProgress: progress.call,
      }).finally(progress.stop)
      show({ phase: 'verifying', ...at() })
      const file = new Blob(parts.parts, { type: 'text/csv' })
      const verified = await verifyChecksum(file, parts.etag, crypto)
      held.current = holdNothing()
      if (controller.signal.aborted) return
      if (verified === false) return show({ phase: 'spoilt' })
      const fileName = parts.fileName ?? fallbackName
      saveFile(file, fileName)
      show({ phase: 'saved', fileName, verified })
    } catch (error) {
      const message = error instanceof ApiError ? error.message : 'The file could not be kept.'
      show({ phase: 'broken', message, ...at() })
    }
  }
  const start = () => {
    held.current = holdNothing()
    void run()
  }
  const cancel = () => {
    running.current?.abort()
    held.current = holdNothing()
    setState({ phase: 'idle' })
  }
  return { state, start, resume: () => void run(), cancel }
}
