import type {
  CallsExport,
  DifferencesExport,
  LeagueExport,
  LookupsExport,
  RatingsExport,
} from '#lib/archive/archive.ts'
import { callsQuery, symbolsQuery, usersQuery } from '#lib/contract/api-queries.ts'
import {
  DIFFERENCE_COLUMNS,
  DIFFERENCES_PER_PAGE_DEFAULT,
  differencesQuery,
} from '#lib/contract/edition-differences.ts'
import {
  CALL_COLUMNS,
  type ExportColumn,
  type ExportFormat,
  everyRowQuery,
  type LeagueColumn,
  type LeagueFormat,
  SYMBOL_COLUMNS,
  USER_COLUMNS,
  withoutPage,
} from '#lib/contract/export-choice.ts'
import {
  toCallsName,
  toDifferencesName,
  toExportName,
  toLeagueName,
  toLookupsName,
} from '#lib/contract/export-name.ts'
import {
  CSV_NAMES,
  callsCsvQuery,
  csvExportQuery,
  differencesCsvQuery,
  type ExportManifest,
  exportQuery,
  lookupsCsvQuery,
  symbolsCsvQuery,
  usersCsvQuery,
} from '#lib/contract/exports.ts'
import { LOOKUP_FIELDS, lookupsQuery } from '#lib/contract/lookups-query.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import type { ApiDeps, RawEndpoint } from './endpoint.ts'
import { type Body, type Exported, sendExport, sendManifest, toTextBody } from './export-answer.ts'
import { toCallSet } from './record.ts'
import { readParameters, toPast } from './respond.ts'

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
  query: toParams(everyRowQuery, query),
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

/** Every rating of a query as a call, and what such a file says of itself. */
export const streamCalls = (format: ExportFormat): RawEndpoint => ({
  method: 'GET',
  respond: async (deps, { request, params }) => {
    const { rest, formulas, bom } = splitCsv('calls', format, params)
    const { asked, ...exported } = toCallsExported(deps, rest)
    const choice = { columns: CALL_COLUMNS, isExact: formulas === 'exact', bom: bom === '1' }
    return await sendExport(deps, request, {
      ...{ ...exported, format },
      toName: (facts) => toCallsName(asked, facts),
      toBody: async (source, manifest, closing) => {
        if (format !== 'parquet') return toTextBody(source, manifest, { ...choice, format })
        const file = await source.writeParquet(CALL_COLUMNS, toTexts(manifest))
        closing.push(file.close)
        await source.close()
        return { chunks: file.chunks(), bytes: file.bytes }
      },
    })
  },
})

export const answerCallsManifest: RawEndpoint = {
  method: 'GET',
  respond: async (deps, { request, params }) =>
    await sendManifest(deps, request, toCallsExported(deps, params)),
}

function toCallsExported({ archive }: Pick<ApiDeps, 'archive'>, params: URLSearchParams) {
  const query = readParameters(callsQuery, params)
  const exported: Exported<CallsExport> = {
    ...{ of: 'calls', query: withoutPage(params), asof: query.asof, columns: CALL_COLUMNS },
    open: async ({ at, signal }) =>
      await archive.records.openCalls(toCallSet(query), { at: toPast(query.asof, at), signal }),
  }
  return { ...exported, asked: query }
}

/** Every look-up of a query, and what such a file says of itself. */
export const streamLookups = (format: ExportFormat): RawEndpoint => ({
  method: 'GET',
  respond: async (deps, { request, params }) => {
    const { rest, formulas, bom } = splitCsv('lookups', format, params)
    const { asked, ...exported } = toLookupsExported(deps, rest)
    const choice = { columns: LOOKUP_FIELDS, isExact: formulas === 'exact', bom: bom === '1' }
    return await sendExport(deps, request, {
      ...{ ...exported, format },
      toName: (facts) => toLookupsName(asked, facts),
      toBody: async (source, manifest, closing) => {
        if (format !== 'parquet') return toTextBody(source, manifest, { ...choice, format })
        const file = await source.writeParquet(LOOKUP_FIELDS, toTexts(manifest))
        closing.push(file.close)
        await source.close()
        return { chunks: file.chunks(), bytes: file.bytes }
      },
    })
  },
})

export const answerLookupsManifest: RawEndpoint = {
  method: 'GET',
  respond: async (deps, { request, params }) =>
    await sendManifest(deps, request, toLookupsExported(deps, params)),
}

function toLookupsExported({ archive }: Pick<ApiDeps, 'archive'>, params: URLSearchParams) {
  const query = readParameters(lookupsQuery, params)
  const exported: Exported<LookupsExport> = {
    ...{ of: 'lookups', query: withoutPage(params), asof: query.asof, columns: LOOKUP_FIELDS },
    open: async (options) => await archive.lookups.openExport(query, options),
  }
  return { ...exported, asked: query }
}

/** Every change between two editions, and what such a file says of itself. */
export const streamDifferences = (format: ExportFormat): RawEndpoint => ({
  method: 'GET',
  respond: async (deps, { request, params }) => {
    const { rest, formulas, bom } = splitCsv('editions/differences', format, params)
    const { asked, ...exported } = await toDifferencesExported(deps, rest)
    const choice = { columns: DIFFERENCE_COLUMNS, isExact: formulas === 'exact', bom: bom === '1' }
    return await sendExport(deps, request, {
      ...{ ...exported, format },
      toName: (facts) => toDifferencesName(asked, facts),
      toBody: async (source, manifest, closing) => {
        if (format !== 'parquet') return toTextBody(source, manifest, { ...choice, format })
        const file = await source.writeParquet(DIFFERENCE_COLUMNS, toTexts(manifest))
        closing.push(file.close)
        await source.close()
        return { chunks: file.chunks(), bytes: file.bytes }
      },
    })
  },
})

export const answerDifferencesManifest: RawEndpoint = {
  method: 'GET',
  respond: async (deps, { request, params }) =>
    await sendManifest(deps, request, await toDifferencesExported(deps, params)),
}

/** The editions are named in what a file says of itself, also where the two newest were meant without a word. */
async function toDifferencesExported(
  { archive, editions }: Pick<ApiDeps, 'archive' | 'editions'>,
  params: URLSearchParams,
) {
  const asked = readParameters(differencesQuery, params)
  const difference = await editions.difference(asked)
  const between = difference && { from: difference.from.edition, to: difference.to.edition }
  const query = toParams(differencesQuery, {
    ...asked,
    ...between,
    page: 1,
    per_page: DIFFERENCES_PER_PAGE_DEFAULT,
  })
  const exported: Exported<DifferencesExport> = {
    ...{ of: 'editions/differences', query, asof: null, columns: DIFFERENCE_COLUMNS },
    open: async (options) =>
      await archive.differences.openExport(difference?.path ?? null, asked, options),
  }
  return { ...exported, asked: { ...asked, between } }
}

/** Every symbol of the league's query as a file, and what such a file says of itself. */
export const streamSymbols = (format: LeagueFormat): RawEndpoint => streamLeague('symbols', format)
export const answerSymbolsManifest: RawEndpoint = describeLeague('symbols')

/** The same of users. */
export const streamUsers = (format: LeagueFormat): RawEndpoint => streamLeague('users', format)
export const answerUsersManifest: RawEndpoint = describeLeague('users')

type League = 'symbols' | 'users'
type CsvSubject = League | 'calls' | 'lookups' | 'editions/differences'

type LeagueExported = Exported<LeagueExport> & {
  columns: readonly LeagueColumn[]
  named: Parameters<typeof toLeagueName>[1]
}

function streamLeague(league: League, format: LeagueFormat): RawEndpoint {
  return {
    method: 'GET',
    respond: async (deps, { request, params }) => {
      const { rest, formulas, bom } = splitCsv(league, format, params)
      const { columns, named, ...exported } = toLeagueExported(deps, league, rest)
      return await sendExport(deps, request, {
        ...{ ...exported, columns, format },
        toName: (facts) => toLeagueName(league, named, facts),
        toBody: async (source, manifest) =>
          toTextBody(source, manifest, {
            format,
            columns,
            isExact: formulas === 'exact',
            bom: bom === '1',
          }),
      })
    },
  }
}

function describeLeague(league: League): RawEndpoint {
  return {
    method: 'GET',
    respond: async (deps, { request, params }) =>
      await sendManifest(deps, request, toLeagueExported(deps, league, params)),
  }
}

/** What only CSV is asked, and the rest, which is the league's own query. Other formats take none of it. */
function splitCsv(subject: CsvSubject, format: ExportFormat, params: URLSearchParams) {
  const nothing = { rest: params, formulas: 'safe', bom: '0' } as const
  if (format !== 'csv') return nothing
  // Read as a whole, so that everything that is wrong is named at once.
  const { formulas, bom } = readCsvChoice(subject, params)
  const rest = new URLSearchParams(params)
  for (const name of CSV_NAMES) rest.delete(name)
  return { rest, formulas, bom }
}

function readCsvChoice(subject: CsvSubject, params: URLSearchParams) {
  if (subject === 'editions/differences') return readParameters(differencesCsvQuery, params)
  if (subject === 'lookups') return readParameters(lookupsCsvQuery, params)
  if (subject === 'calls') return readParameters(callsCsvQuery, params)
  if (subject === 'symbols') return readParameters(symbolsCsvQuery, params)
  return readParameters(usersCsvQuery, params)
}

/** `page` and `per_page` do not count. */
function toLeagueExported(
  { archive, names }: Pick<ApiDeps, 'archive' | 'names'>,
  league: League,
  params: URLSearchParams,
): LeagueExported {
  const shared = { of: league, query: withoutPage(params) }
  if (league === 'symbols') {
    const asked = readParameters(symbolsQuery, params)
    return {
      ...{ ...shared, asof: asked.asof, named: asked, columns: SYMBOL_COLUMNS },
      open: async (options) => {
        const judged = { ...options, at: asked.asof ?? options.at }
        const lookups = await archive.attention.selectSymbols(judged)
        const named = names.find(asked.q)
        return await archive.openSymbolsExport({ ...asked, named, lookups }, judged)
      },
    }
  }
  const asked = readParameters(usersQuery, params)
  return {
    ...{ ...shared, asof: asked.asof, named: asked, columns: USER_COLUMNS },
    open: async (options) =>
      await archive.openUsersExport(asked, { ...options, at: asked.asof ?? options.at }),
  }
}
