import { refuseUnfilled } from '#lib/archive/query/archive-state.ts'
import type { LineForm, OpenExport } from '#lib/archive/query/export-rows.ts'
import type { ExportFormat } from '#lib/contract/export-formats.ts'
import { toAsciiName } from '#lib/contract/export-name.ts'
import { type ExportMeta, toMethod } from '#lib/contract/exports.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { ListPath } from '#lib/contract/lists/lists.ts'
import { toByteStream, toChunks } from './byte-stream.ts'
import type { ApiDeps, SharedDeps, TakeSlot } from './endpoint.ts'

const TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
}

export type Exported<S extends OpenExport> = {
  of: ListPath
  query: URLSearchParams
  asof: number | null
  columns: readonly string[]
  mayBeEmpty?: boolean
  open(options: { at: number; signal: AbortSignal }): Promise<S>
}

type Body = { chunks: Chunks; bytes: number | null }

type ExportedFile<S extends OpenExport> = Exported<S> & {
  format: ExportFormat
  toName(facts: { format: string; asOf: number; invented: boolean }): string
  toBody(source: S, meta: ExportMeta, closing: (() => Promise<void>)[]): Promise<Body>
}

type Deps = ApiDeps & SharedDeps

export async function sendExport<S extends OpenExport>(
  deps: Deps,
  request: Request,
  exported: ExportedFile<S>,
): Promise<Response> {
  if (!exported.mayBeEmpty) refuseUnfilled(deps.archive.state())
  const freeSlot = deps.takeExportSlot()
  const closing: (() => Promise<void>)[] = []
  const end = () => {
    freeSlot()
    for (const close of closing.splice(0)) void close().catch(() => {})
  }
  try {
    const at = deps.now()
    const source = await exported.open({ at, signal: request.signal })
    closing.push(source.close)
    const meta = toMeta(deps, exported, source, exported.asof ?? at)
    const headers = toHeaders(exported, meta)
    const chunks = async () => {
      const body = await exported.toBody(source, meta, closing)
      if (body.bytes !== null) {
        headers.set('bellwether-bytes', String(body.bytes))
        headers.set('content-length', String(body.bytes))
      }
      return body.chunks
    }
    return await sendChunks({ deps, request, headers, chunks, onEnd: end })
  } catch (error) {
    end()
    throw error
  }
}

type LineSource<C extends string> = {
  lines(form: LineForm, columns: readonly C[]): AsyncGenerator<string[], void, undefined>
}

type TextChoice<C extends string> = {
  format: Exclude<ExportFormat, 'parquet'>
  form: LineForm
  columns: readonly C[]
}

export function toTextBody<C extends string>(
  source: LineSource<C>,
  meta: ExportMeta,
  { format, form, columns }: TextChoice<C>,
): Body {
  const { rows } = meta
  const lines = source.lines(form, columns)
  const texts = {
    csv: () => toCsvTexts(lines, { columns, rows, isForExcel: form === 'excel' }),
    json: () => toJsonTexts(lines, meta),
    ndjson: () => toNdjsonTexts(lines, rows),
  }[format]
  return { chunks: toChunks(texts()), bytes: null }
}

function toMeta<S extends OpenExport>(
  { upstream: { service } }: Deps,
  { of, query, columns }: Exported<S>,
  { rows, generation, completeTo, gaps }: OpenExport,
  asOf: number,
): ExportMeta {
  return {
    as_of: asOf,
    complete_to: completeTo,
    generation,
    rows,
    gaps,
    of,
    query: query.toString(),
    filters: Object.fromEntries(query),
    columns,
    time_zone: 'UTC',
    service: service.address,
    invented: service.invented,
    method: toMethod(of),
  }
}

function toHeaders<S extends OpenExport>(exported: ExportedFile<S>, meta: ExportMeta): Headers {
  const { format, toName } = exported
  const { rows, generation, gaps, as_of: asOf, complete_to: completeTo, invented } = meta
  return new Headers({
    'content-type': TYPES[format],
    'content-disposition': toDisposition(toName({ format, asOf, invented })),
    'cache-control': 'private, no-store, no-transform',
    'bellwether-rows': String(rows),
    'bellwether-generation': String(generation),
    'bellwether-as-of': String(asOf),
    'bellwether-gaps': String(gaps),
    ...(completeTo === null ? {} : { 'bellwether-complete-to': String(completeTo) }),
  })
}

function toDisposition(name: string): string {
  const ascii = toAsciiName(name)
  const plain = `attachment; filename="${ascii}"`
  return ascii === name ? plain : `${plain}; filename*=UTF-8''${encodeURIComponent(name)}`
}

const IDLE_MS = 60_000
const WHOLE_MS = 3_600_000

type Chunks = AsyncGenerator<Uint8Array, void, undefined>

type StreamedExport = {
  deps: Pick<ApiDeps, 'setTimer'>
  request: Request
  headers: Headers
  chunks: () => Chunks | Promise<Chunks>
  onEnd: () => void
}

async function sendChunks({ deps, request, headers, chunks, onEnd }: StreamedExport) {
  if (request.method === 'HEAD') {
    // No Content-Length, so that clients do not fetch ranges of different generations.
    onEnd()
    return new Response(null, { headers })
  }
  const body = toByteStream(await begin(await chunks()), {
    setTimer: deps.setTimer,
    idleMs: IDLE_MS,
    wholeMs: WHOLE_MS,
    signal: request.signal,
    onEnd,
  })
  return new Response(body, { headers })
}

/** Produces the first rows early, so that immediate failures get an error response. */
async function begin(chunks: Chunks): Promise<Chunks> {
  const first = [await chunks.next(), await chunks.next()]
  return (async function* () {
    try {
      for (const { done, value } of first) {
        if (done) return
        yield value
      }
      yield* chunks
    } finally {
      await chunks.return()
    }
  })()
}

const NEWLINE = '\r\n'
const BOM = '\ufeff'

type Lines = AsyncGenerator<string[], void, undefined>
type Texts = AsyncGenerator<string, void, undefined>

/** Throws at the end if the row count differs. */
export async function* toCsvTexts(
  lines: Lines,
  { columns, rows, isForExcel }: { columns: readonly string[]; rows: number; isForExcel: boolean },
): Texts {
  yield `${isForExcel ? BOM : ''}${columns.join(',')}${NEWLINE}`
  for await (const batch of counted(lines, rows)) yield batch.join(NEWLINE) + NEWLINE
}

export async function* toNdjsonTexts(lines: Lines, rows: number): Texts {
  for await (const batch of counted(lines, rows)) yield `${batch.join('\n')}\n`
}

/** The end of the document is written only after all rows. */
export async function* toJsonTexts(lines: Lines, meta: { rows: number }): Texts {
  yield `{"success":true,"code":200,"meta":${JSON.stringify(meta)},"data":[`
  let before = '\n'
  for await (const batch of counted(lines, meta.rows)) {
    yield before + batch.join(',\n')
    before = ',\n'
  }
  yield `\n],"rows":${meta.rows}}\n`
}

async function* counted(lines: Lines, rows: number): Lines {
  let written = 0
  for await (const batch of lines) {
    written += batch.length
    yield batch
  }
  if (written !== rows) throw new Error(`${written} rows were written of ${rows} declared`)
}

export const EXPORTS_MAX = 16
const RETRY_SECONDS = 10

export function createSlots(): TakeSlot {
  const taken = new Set<symbol>()
  return () => {
    if (taken.size >= EXPORTS_MAX) {
      const message = `At most ${EXPORTS_MAX} exports can run at once. Try again soon.`
      throw new AppError('busy', message, { retryAfterSeconds: RETRY_SECONDS })
    }
    const slot = Symbol('export')
    taken.add(slot)
    return () => void taken.delete(slot)
  }
}
