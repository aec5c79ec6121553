import { saveFile } from '#components/ui/save-file.ts'
import { ApiError } from '#lib/client/api-error.ts'
import type { ExportFormat } from '#lib/contract/export-formats.ts'

/** `rows` is null if the format does not reveal the count before its end. */
export type Progress = { rows: number | null; bytes: number; declared: Declared }

export class CutShort extends Error {
  readonly progress: Progress

  constructor(progress: Progress) {
    super('The export was cut short.')
    this.name = 'CutShort'
    this.progress = progress
  }
}

export type ExportJob = { url: string; format: ExportFormat; fileName: string }

export type ReceiveOptions = {
  fetchFile: (url: string, init: RequestInit) => Promise<Response>
  signal: AbortSignal
  onProgress: (progress: Progress) => void
}

export type ReceivedFile = Progress & { fileName: string }

/** Discards an incomplete file. Throws CutShort, ApiError, the sink's error or the abort error. */
export async function receiveExport(
  { url, format, fileName: fallbackName }: ExportJob,
  sink: Sink,
  options: ReceiveOptions,
): Promise<ReceivedFile> {
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
  const [body, { toApiError }] = await Promise.all([
    response.json().catch(() => null),
    import('#lib/client/parse-answer.ts'),
  ])
  throw toApiError(response, body)
}

const WHOLE = /^\d{1,15}$/

/** Without a declared count a truncated file would look complete. */
function readDeclared(headers: Headers): Declared {
  const [rows, bytes] = ['bellwether-rows', 'bellwether-bytes'].map((name) => headers.get(name))
  if (!rows || !WHOLE.test(rows)) {
    throw new ApiError('internal', 502, 'The response does not state its number of rows.', [])
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

/** `bytes` is null if only the rows are known. */
export type Declared = { rows: number; bytes: number | null }

type RowCounter = {
  add(chunk: Uint8Array): void
  /** Null if the format does not reveal the count before its end. */
  rows(): number | null
  isWhole(declared: Declared): boolean
}

export const createRowCounter = (format: ExportFormat): RowCounter => COUNTERS[format]()

const COUNTERS: Record<ExportFormat, () => RowCounter> = {
  csv: countRecords,
  json: countDocument,
  ndjson: countLines,
  parquet: countBytes,
}

const NEWLINE = 10
const QUOTE = 34

function countRecords(): RowCounter {
  let [lines, isQuoted, last] = [0, false, NEWLINE]
  return {
    add(chunk) {
      for (const byte of chunk) {
        if (byte === QUOTE) isQuoted = !isQuoted
        else if (byte === NEWLINE && !isQuoted) lines += 1
      }
      last = chunk.at(-1) ?? last
    },
    rows: () => Math.max(0, lines - 1),
    isWhole: ({ rows }) => !isQuoted && last === NEWLINE && lines === rows + 1,
  }
}

function countLines(): RowCounter {
  let [lines, last] = [0, NEWLINE]
  return {
    add(chunk) {
      lines += newlines(chunk)
      last = chunk.at(-1) ?? last
    },
    rows: () => lines,
    isWhole: ({ rows }) => last === NEWLINE && lines === rows,
  }
}

/** One row per line between a first and a last line. */
function countDocument(): RowCounter {
  let lines = 0
  const end = keepEnd(64)
  const hasEnded = () => /\],"rows":\d+\}\n$/.test(end.text())
  return {
    add(chunk) {
      lines += newlines(chunk)
      end.add(chunk)
    },
    rows: () => Math.max(0, lines - (hasEnded() ? 2 : 1)),
    isWhole: ({ rows }) => lines === rows + 2 && end.text().endsWith(`\n],"rows":${rows}}\n`),
  }
}

const MAGIC = 'PAR1'

/** Starts and ends with `PAR1`. The row count in the footer is not parsed. */
function countBytes(): RowCounter {
  let [bytes, begin] = [0, '']
  const end = keepEnd(MAGIC.length)
  return {
    add(chunk) {
      if (begin.length < MAGIC.length)
        begin += toText(chunk.subarray(0, MAGIC.length - begin.length))
      bytes += chunk.byteLength
      end.add(chunk)
    },
    rows: () => null,
    isWhole: (declared) => begin === MAGIC && end.text() === MAGIC && bytes === declared.bytes,
  }
}

function newlines(chunk: Uint8Array): number {
  let count = 0
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) count += 1
  return count
}

function keepEnd(length: number) {
  let text = ''
  return {
    add(chunk: Uint8Array) {
      text = (text + toText(chunk.subarray(-length))).slice(-length)
    },
    text: () => text,
  }
}

/** Only ASCII is matched. */
const toText = (bytes: Uint8Array) => String.fromCharCode(...bytes)

/** Nothing is visible to the user before `keep`. */
export type Sink = {
  write(chunk: Uint8Array<ArrayBuffer>): Promise<void>
  /** Returns the final file name. */
  keep(name: string): Promise<string>
  discard(): Promise<void>
}

/** Larger parts become blobs, which may move to disk. */
const PART_BYTES = 16_000_000

export function createHeldSink(type: string, save = saveFile): Sink {
  let blobs: Blob[] = []
  let parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  return {
    async write(chunk) {
      parts.push(chunk)
      bytes += chunk.byteLength
      if (bytes < PART_BYTES) return
      blobs.push(new Blob(parts))
      parts = []
      bytes = 0
    },
    async keep(name) {
      save(new Blob([...blobs, ...parts], { type }), name)
      return name
    },
    async discard() {
      blobs = []
      parts = []
    },
  }
}

type PickOptions = { suggestedName?: string }

/** Some browsers only, secure contexts only. */
declare global {
  interface Window {
    showSaveFilePicker?: (options?: PickOptions) => Promise<FileSystemFileHandle>
  }
  interface FileSystemFileHandle {
    remove?: () => Promise<void>
  }
}

export const canPickFile = (): boolean => typeof window.showSaveFilePicker === 'function'

/** Null if canceled. Must run during a user gesture. */
export async function openPickedSink(suggestedName: string): Promise<Sink | null> {
  let handle: FileSystemFileHandle | undefined
  try {
    handle = await window.showSaveFilePicker?.({ suggestedName })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null
    throw error
  }
  return handle ? await openHandleSink(handle) : null
}

async function openHandleSink(handle: FileSystemFileHandle): Promise<Sink> {
  const file = await handle.createWritable()
  return {
    write: async (chunk) => await file.write(chunk),
    async keep() {
      await file.close()
      return handle.name
    },
    async discard() {
      await file.abort().catch(() => {})
      // Picking created an empty file, which would look like a result.
      await handle.remove?.()
    },
  }
}
