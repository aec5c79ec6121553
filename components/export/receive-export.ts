import { ApiError } from '#lib/client/api-error.ts'
import { toApiError } from '#lib/client/parse-answer.ts'
import type { ExportFormat } from '#lib/contract/export-choice.ts'
import { createRowCounter, type Declared } from './row-counter.ts'
import type { Sink } from './sinks.ts'

/** How far an export is; `rows` is null where the format does not tell before its end. */
export type Progress = { rows: number | null; bytes: number; declared: Declared }

/** An export that ended before it was whole. */
export class CutShort extends Error {
  readonly progress: Progress

  constructor(progress: Progress) {
    super('The export was cut short.')
    this.name = 'CutShort'
    this.progress = progress
  }
}

/** What is exported: the address, and the name that the file gets where the server gives none. */
export type ExportJob = { url: string; format: ExportFormat; fileName: string }

export type ReceiveOptions = {
  fetchFile: (url: string, init: RequestInit) => Promise<Response>
  signal: AbortSignal
  onProgress: (progress: Progress) => void
}

/** `fileName` is the name that the file has where it was saved. */
export type Received = Progress & { fileName: string }

/**
 * Reads an export into `sink`, counts its rows on the way, and keeps it if it is whole. Any other is discarded. Throws CutShort, ApiError, what the sink throws, or the abort's own error.
 */
export async function receiveExport(
  { url, format, fileName: fallbackName }: ExportJob,
  sink: Sink,
  options: ReceiveOptions,
): Promise<Received> {
  try {
    const response = await ask(url, options)
    const declared = readDeclared(response.headers)
    const progress = await read(response, { declared, format }, sink, options)
    options.signal.throwIfAborted()
    const fileName = await sink.keep(readFileName(response.headers) ?? fallbackName)
    return { ...progress, fileName }
  } catch (error) {
    await sink.discard().catch(() => {})
    throw error
  }
}

async function ask(url: string, { fetchFile, signal }: ReceiveOptions): Promise<Response> {
  const response = await fetchFile(url, { signal, cache: 'no-store' }).catch((error: unknown) => {
    if (signal.aborted) throw error
    throw new ApiError('offline', 0, 'The dashboard could not be reached.', [])
  })
  if (response.ok) return response
  throw toApiError(response, await response.json().catch(() => null))
}

const WHOLE = /^\d{1,15}$/

/** Without a declared count nobody could tell a part from the whole. */
function readDeclared(headers: Headers): Declared {
  const [rows, bytes] = ['bellwether-rows', 'bellwether-bytes'].map((name) => headers.get(name))
  if (!rows || !WHOLE.test(rows)) {
    throw new ApiError('internal', 502, 'The answer does not say how many rows it holds.', [])
  }
  return { rows: Number(rows), bytes: bytes && WHOLE.test(bytes) ? Number(bytes) : null }
}

type Expected = { declared: Declared; format: ExportFormat }

async function read(
  response: Response,
  { declared, format }: Expected,
  sink: Sink,
  { signal, onProgress }: ReceiveOptions,
): Promise<Progress> {
  const counter = createRowCounter(format)
  let bytes = 0
  const progress = () => ({ rows: counter.rows(), bytes, declared })
  const reader = response.body?.getReader()
  for (;;) {
    const chunk = await reader?.read().catch((error: unknown) => {
      if (signal.aborted) throw error
      throw new CutShort(progress())
    })
    if (!chunk || chunk.done) break
    counter.add(chunk.value)
    bytes += chunk.value.byteLength
    await sink.write(chunk.value)
    signal.throwIfAborted()
    onProgress(progress())
  }
  if (!counter.isWhole(declared)) throw new CutShort(progress())
  return { rows: declared.rows, bytes, declared }
}

/** The name that the server gives, in letters of any script where it can. */
function readFileName(headers: Headers): string | null {
  const disposition = headers.get('content-disposition') ?? ''
  const encoded = /filename\*=UTF-8''([^;\s]+)/i.exec(disposition)?.[1]
  const plain = /filename="([^"/\\]+)"/i.exec(disposition)?.[1]
  try {
    return encoded === undefined ? (plain ?? null) : decodeURIComponent(encoded)
  } catch {
    return plain ?? null
  }
}
