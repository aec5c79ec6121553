import type { RatingsExport } from '#lib/archive/archive.ts'
import {
  type ExportColumn,
  type ExportFormat,
  toExportParams,
} from '#lib/contract/export-choice.ts'
import type { ExportManifest } from '#lib/contract/export-manifest.ts'
import { toExportName } from '#lib/contract/export-name.ts'
import { csvExportQuery, exportQuery } from '#lib/contract/export-query.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import type { ApiDeps, RawEndpoint } from './endpoint.ts'
import { type Body, type Exported, sendExport, sendManifest, toTextBody } from './export-answer.ts'
import { readParameters } from './respond.ts'

/** Every matching row as a file of a format; `page` and `per_page` do not count here. */
export const streamRatings = (format: ExportFormat): RawEndpoint => ({
  method: 'GET',
  respond: async (deps, { request, params }) => {
    const asked = readAsked(format, params)
    return await sendExport(deps, request, {
      ...toExported(deps, asked),
      format,
      toName: (facts) => toExportName(asked.query, facts),
      toBody: async (source, manifest, closing) =>
        await toBody(asked, source, { manifest, closing }),
    })
  },
})

/** What such a file says of itself. */
export const answerRatingsManifest: RawEndpoint = {
  method: 'GET',
  respond: async (deps, { request, params }) => {
    const { columns, ...query } = readParameters(exportQuery, params)
    return await sendManifest(deps, request, toExported(deps, { query, columns }))
  },
}

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

const toExported = (
  { archive }: Pick<ApiDeps, 'archive'>,
  { query, columns }: Pick<Asked, 'query' | 'columns'>,
): Exported<RatingsExport> => ({
  of: 'ratings',
  query: toExportParams(query),
  asof: query.asof,
  columns,
  open: async (options) => await archive.openExport(query, options),
})

async function toBody(
  { format, columns, isExact, bom }: Asked,
  source: RatingsExport,
  { manifest, closing }: { manifest: ExportManifest; closing: (() => Promise<void>)[] },
): Promise<Body> {
  if (format === 'parquet') {
    const file = await source.writeParquet(columns, toTexts(manifest))
    closing.push(file.close)
    await source.close()
    return { chunks: file.chunks(), bytes: file.bytes }
  }
  return toTextBody(source, manifest, { format, columns, isExact, bom })
}

/** What a Parquet file says of itself: its metadata are texts. */
const toTexts = (manifest: ExportManifest): Record<string, string> =>
  Object.fromEntries(
    Object.entries(manifest).map(([name, fact]) => [
      name,
      typeof fact === 'object' && fact !== null ? JSON.stringify(fact) : String(fact ?? ''),
    ]),
  )
