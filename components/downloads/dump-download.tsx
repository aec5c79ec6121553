'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { formatBytes } from '#components/format/numbers.ts'
import { Button, ButtonLink, isPlainClick } from '#components/ui/button.tsx'
import { ProgressBar } from '#components/ui/loading.tsx'
import { LiveRegion, Notice } from '#components/ui/messages.tsx'
import { atMostEvery, saveFile } from '#components/ui/save-file.ts'
import { ApiError } from '#lib/client/api-error.ts'
import { fetchFile } from '#lib/client/fetch-api.ts'
import { dumpsOptions } from '#lib/client/list-options.ts'
import { toApiError } from '#lib/client/parse-answer.ts'
import type { Dump } from '#lib/contract/answers/status.ts'

/** Larger files are left to the browser's own downloads. */
const HELD_MAX_BYTES = 200_000_000

export function DownloadButton({ dump }: { dump: Dump }) {
  const path = dumpPath(dump.kind)
  const { state, start, resume, cancel } = useDownload(path, dumpFileName(dump))
  const bytes = dump.edition?.bytes
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
          It was damaged in transit and was not saved. Download it again.
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
              <span className="sr-only">, download of the {kind} dump</span>
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
        : '. This browser cannot verify it: compare its SHA-256 yourself.'}
    </p>
  )
}

const selectStep = ({ phase, received }: { phase: string; received: number }) => {
  if (phase === 'verifying') return 'Verifying'
  return received === 0 ? 'Waiting for the file' : 'Downloading'
}

function announce(state: DownloadState): string {
  if (state.phase === 'running') return 'Downloading'
  if (state.phase !== 'saved') return ''
  return `Saved ${state.fileName}${state.verified ? ', verified' : ''}`
}

/** `total` is null if the server did not send it. */
type DownloadState =
  | { phase: 'idle' }
  | { phase: 'running' | 'verifying'; received: number; total: number | null }
  | { phase: 'saved'; fileName: string; verified: boolean | null }
  | { phase: 'spoilt' }
  | { phase: 'broken'; message: string; received: number; total: number | null }

const SHOWN_EVERY_MS = 100

function useDownload(url: string, fallbackName: string) {
  const [state, setState] = useState<DownloadState>({ phase: 'idle' })
  const held = useRef<PartialDownload>(holdNothing())
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
        fetchFile,
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
      const message = error instanceof ApiError ? error.message : 'The file could not be saved.'
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

export type PartialDownload = {
  parts: Uint8Array<ArrayBuffer>[]
  received: number
  total: number | null
  etag: string | null
  fileName: string | null
}

export const holdNothing = (): PartialDownload => ({
  parts: [],
  received: 0,
  total: null,
  etag: null,
  fileName: null,
})

export type DownloadOptions = {
  fetchFile: (url: string, init: RequestInit) => Promise<Response>
  signal: AbortSignal
  onProgress: (held: PartialDownload) => void
}

/** Resumes into `held`, or restarts if the file has changed. Throws ApiError or the abort error. */
export async function downloadWithProgress(
  url: string,
  held: PartialDownload,
  options: DownloadOptions,
): Promise<void> {
  try {
    const response = await ask(url, held, options)
    if (!response.ok) throw toApiError(response, await response.json().catch(() => null))
    if (response.status !== 206) Object.assign(held, holdNothing())
    readHeaders(held, response.headers)
    await readBody(held, response, options)
  } catch (error) {
    if (options.signal.aborted || error instanceof ApiError) throw error
    throw new ApiError('offline', 0, 'The connection was lost.', [])
  }
  if (held.total !== null && held.received !== held.total) {
    throw new ApiError('offline', 0, 'The connection was lost before the file was complete.', [])
  }
}

async function ask(url: string, held: PartialDownload, { fetchFile, signal }: DownloadOptions) {
  const headers: Record<string, string> = {}
  if (held.received > 0 && held.etag !== null) {
    headers.Range = `bytes=${held.received}-`
    headers['If-Range'] = held.etag
  }
  return await fetchFile(url, { headers, signal, cache: 'no-store' })
}

function readHeaders(held: PartialDownload, headers: Headers): void {
  const length = Number(headers.get('content-length') ?? Number.NaN)
  held.total = Number.isInteger(length) ? held.received + length : null
  held.etag = headers.get('etag')
  held.fileName =
    /filename="([^"/\\]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? null
}

async function readBody(
  held: PartialDownload,
  response: Response,
  { onProgress }: DownloadOptions,
) {
  const reader = response.body?.getReader()
  if (!reader) return
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    held.parts.push(value)
    held.received += value.byteLength
    onProgress(held)
  }
}

const SHA256_TAG = /^"([0-9a-f]{64})"$/

/** Null if the ETag is not a SHA-256 or Web Crypto is unavailable (plain HTTP). */
export async function verifyChecksum(
  file: Blob,
  etag: string | null,
  crypto: Crypto,
): Promise<boolean | null> {
  const expected = SHA256_TAG.exec(etag ?? '')?.[1]
  if (expected === undefined || !('subtle' in crypto)) return null
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'))
  return hex.join('') === expected
}

export function useFetchDump(kind: Dump['kind']) {
  const queryClient = useQueryClient()
  return useMutation({
    // A one-byte GET waits for the edition and, unlike HEAD, returns an error body.
    mutationFn: async () => {
      const response = await fetchFile(dumpPath(kind), { headers: { range: 'bytes=0-0' } })
      const body = await response.json().catch(() => null)
      if (!response.ok) throw toApiError(response, body)
    },
    onMutate: () => {
      setTimeout(() => void queryClient.invalidateQueries(dumpsOptions()), SOON_MS)
    },
    onSettled: () => queryClient.invalidateQueries(dumpsOptions()),
  })
}

/** Milliseconds until the server reports that it is fetching. */
const SOON_MS = 150

export const dumpPath = (kind: Dump['kind']): string => `/api/v1/${kind}/dumps`

export const DUMP_CONTENTS: Record<Dump['kind'], string> = {
  posts: 'Every rating ever posted, one row each.',
  lookups: 'Every look-up of a symbol in a trading room.',
}

export const dumpFileName = (dump: Dump): string => dump.file_name ?? `${dump.kind}.csv`
