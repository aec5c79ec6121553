import type { RatingsExport } from '#lib/archive/archive.ts'
import type { ExportFile } from '#lib/archive/export-file.ts'
import { type ExportColumn, type ExportFormat, ROW_COLUMNS } from '#lib/contract/export-choice.ts'
import { toAsciiName, toExportName } from '#lib/contract/export-name.ts'
import { csvExportQuery, exportQuery } from '#lib/contract/export-query.ts'
import { EVERY_RATING, type RatingsQuery, toSearchParams } from '#lib/contract/ratings-query.ts'
import { toChunks } from './byte-stream.ts'
import type { ApiDeps, RawEndpoint, Shared } from './endpoint.ts'
import {
  type Chunks,
  type ExportMeta,
  sendChunks,
  toCsvTexts,
  toJsonTexts,
  toNdjsonTexts,
} from './export-stream.ts'
import { readParameters } from './respond.ts'

const TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
}

/** Every matching row as a file of a format; `page` and `per_page` do not count here. */
export const streamRatings = (format: ExportFormat): RawEndpoint => ({
  method: 'GET',
  respond: async (deps, { request, params }) =>
    await send(deps, request, readAsked(format, params)),
})

type Asked = {
  format: ExportFormat
  query: RatingsQuery
  columns: readonly ExportColumn[]
  isExact: boolean
  bom: boolean
}

function readAsked(format: ExportFormat, params: URLSearchParams): Asked {
  if (format !== 'csv') {
    const { columns, ...query } = readParameters(exportQuery, params)
    return { format, query, columns, isExact: true, bom: false }
  }
  const { columns, formulas, bom, ...query } = readParameters(csvExportQuery, params)
  return { format, query, columns, isExact: formulas === 'exact', bom: bom === '1' }
}

async function send(deps: ApiDeps & Shared, request: Request, asked: Asked) {
  const { signal } = request
  const freeSlot = deps.takeExportSlot()
  const at = deps.now()
  const closing: (() => Promise<void>)[] = []
  const end = () => {
    freeSlot()
    for (const close of closing.splice(0)) void close().catch(() => {})
  }
  try {
    const rows = await deps.archive.openExport(asked.query, { at, signal })
    closing.push(rows.close)
    const headers = toHeaders(asked, rows, asked.query.asof ?? at)
    const chunks = async () => {
      const body = await toBody(asked, rows, { asOf: asked.query.asof ?? at, closing })
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

async function toBody(
  { format, query, columns, isExact, bom }: Asked,
  source: RatingsExport,
  { asOf, closing }: { asOf: number; closing: (() => Promise<void>)[] },
): Promise<{ chunks: Chunks; bytes: number | null }> {
  const { rows, generation, completeTo, gaps } = source
  const meta = { as_of: asOf, complete_to: completeTo, generation, rows, gaps }
  if (format === 'parquet') {
    const file: ExportFile = await source.writeParquet(columns, toFacts(query, meta))
    closing.push(file.close)
    await source.close()
    return { chunks: file.chunks(), bytes: file.bytes }
  }
  const lines = source.lines(format !== 'csv' ? 'json' : isExact ? 'csv-exact' : 'csv', columns)
  const texts = {
    csv: () => toCsvTexts(lines, { columns, bom, rows }),
    json: () => toJsonTexts(lines, meta),
    ndjson: () => toNdjsonTexts(lines, rows),
  }[format]
  return { chunks: toChunks(texts()), bytes: null }
}

/** What a file says of itself, as texts: what was asked, and the figures of the other formats' headers. */
const toFacts = (query: RatingsQuery, meta: ExportMeta): Record<string, string> => ({
  query: toSearchParams({ ...query, page: 1, per_page: EVERY_RATING.per_page }).toString(),
  ...Object.fromEntries(Object.entries(meta).map(([name, fact]) => [name, String(fact ?? '')])),
})

function toHeaders(asked: Asked, rows: RatingsExport, asOf: number): Headers {
  const { format, query, columns } = asked
  const isChosen = columns.join() !== ROW_COLUMNS.join()
  const name = toExportName(query, {
    format,
    rows: rows.rows,
    asOf,
    completeTo: rows.completeTo,
    columns: isChosen ? columns.length : null,
  })
  return new Headers({
    'content-type': TYPES[format],
    'content-disposition': toDisposition(name),
    'cache-control': 'private, no-store, no-transform',
    'bellwether-rows': String(rows.rows),
    'bellwether-generation': String(rows.generation),
    'bellwether-as-of': String(asOf),
    'bellwether-gaps': String(rows.gaps),
    ...(rows.completeTo === null ? {} : { 'bellwether-complete-to': String(rows.completeTo) }),
  })
}

/** A name in ASCII for every program, and as it is meant for those that know RFC 5987. */
function toDisposition(name: string): string {
  const ascii = toAsciiName(name)
  const plain = `attachment; filename="${ascii}"`
  return ascii === name ? plain : `${plain}; filename*=UTF-8''${encodeURIComponent(name)}`
}
