import { auditRows } from '#lib/archive/audit/audit-rows.ts'
import type { GivenRows } from '#lib/archive/lists/given-rows.ts'
import { type ListRows, openListExport } from '#lib/archive/lists/select-list.ts'
import { lookupRows } from '#lib/archive/lookups/select-lookups.ts'
import { quarantineRows } from '#lib/archive/quarantine/quarantine.ts'
import type { LineForm } from '#lib/archive/query/export-rows.ts'
import { openRatingsExport, type RatingsExport } from '#lib/archive/ratings/ratings-export.ts'
import type { ReadOptions } from '#lib/archive/reader.ts'
import { loadCallRows } from '#lib/archive/record/calls.ts'
import { symbolRows } from '#lib/archive/symbols/symbols.ts'
import { userRows } from '#lib/archive/users/users.ts'
import { everyRowQuery } from '#lib/contract/export-choice.ts'
import type { ExportFormat } from '#lib/contract/export-formats.ts'
import { toExportName, toListName } from '#lib/contract/export-name.ts'
import { FOR_EXCEL, withoutPage } from '#lib/contract/export-path.ts'
import { type ExportMeta, exportQuery, withCsv } from '#lib/contract/exports.ts'
import { auditList } from '#lib/contract/lists/audit.ts'
import { callList } from '#lib/contract/lists/calls.ts'
import {
  type AnyList,
  type Fields,
  type List,
  selectFieldNames,
} from '#lib/contract/lists/define-list.ts'
import type { ListPath } from '#lib/contract/lists/lists.ts'
import { lookupList } from '#lib/contract/lists/lookups.ts'
import { quarantineList } from '#lib/contract/lists/quarantine.ts'
import { symbolList } from '#lib/contract/lists/symbols.ts'
import { userList } from '#lib/contract/lists/users.ts'
import type { ExportOperation } from '#lib/contract/operations/files.ts'
import {
  type Parameters,
  type QuerySchema,
  toParams,
  type ValuesOf,
} from '#lib/contract/query-schema.ts'
import type { ApiDeps, Respond } from './endpoint.ts'
import { type Exported, sendExport, toTextBody } from './export-answer.ts'
import { readParameters, toPast } from './respond.ts'

type Rows = Pick<RatingsExport, 'rows' | 'generation' | 'completeTo' | 'gaps' | 'close'> & {
  lines(form: LineForm, columns: readonly string[]): AsyncGenerator<string[], void, undefined>
  writeParquet?(
    columns: readonly string[],
    facts: Readonly<Record<string, string>>,
  ): ReturnType<RatingsExport['writeParquet']>
}

type Described = Omit<Exported<Rows>, 'of'> & {
  toName(facts: { format: string; asOf: number; invented: boolean }): string
}

/** Throws AppError `bad_request`. */
type ReadExport = (
  deps: ApiDeps,
  format: ExportOperation['format'],
  params: URLSearchParams,
) => Promise<{ described: Described; form: LineForm }>

const subject =
  <P extends Parameters>(
    query: QuerySchema<P>,
    toDescribed: (
      deps: ApiDeps,
      values: ValuesOf<P>,
      params: URLSearchParams,
    ) => Described | Promise<Described>,
  ): ReadExport =>
  async (deps, format, params) => {
    const { rest, form } = readForm(query, format, params)
    return { described: await toDescribed(deps, readParameters(query, rest), rest), form }
  }

function readForm<P extends Parameters>(
  query: QuerySchema<P>,
  format: ExportFormat,
  params: URLSearchParams,
): { rest: URLSearchParams; form: LineForm } {
  if (format !== 'csv') return { rest: params, form: 'json' }
  // Validates everything first: one response lists all issues.
  readParameters(withCsv(query), params)
  const rest = new URLSearchParams(params)
  rest.delete(FOR_EXCEL)
  return { rest, form: params.get(FOR_EXCEL) === '1' ? 'excel' : 'csv' }
}

type LoadRows<Q, L extends AnyList> = (
  deps: ApiDeps,
  query: Q,
  options: ReadOptions,
) => Awaitable<ListRows<L> | GivenRows | null>

type Awaitable<T> = T | Promise<T>

const listSubject = <F extends Fields, P extends Parameters, L extends List<F, P>>(
  list: L & List<F, P>,
  loadRows: LoadRows<ValuesOf<P>, L>,
): ReadExport =>
  subject(list.query, (deps, query, params) => ({
    query: withoutPage(params),
    asof: typeof query.asof === 'number' ? query.asof : null,
    columns: selectFieldNames(list),
    mayBeEmpty: list.permission === 'inspect',
    open: async (options) =>
      await openListExport(
        deps.archive.reader,
        list,
        await loadRows(deps, query, options),
        options,
      ),
    toName: (facts) => toListName(list, query, facts),
  }))

const SUBJECTS: Readonly<Record<ListPath, ReadExport>> = {
  ratings: subject(exportQuery, ({ archive }, { columns, ...query }) => ({
    query: toParams(everyRowQuery, query),
    asof: query.asof,
    columns,
    open: async (options) => await openRatingsExport(archive.reader, query, options),
    toName: (facts) => toExportName(query, facts),
  })),

  symbols: listSubject(symbolList, ({ archive, names }, query, { at, signal }) =>
    symbolRows(
      archive.reader,
      { ...query, named: names.find(query.q) },
      { at: query.asof ?? at, signal },
    ),
  ),

  users: listSubject(
    userList,
    async ({ archive }, query, { at, signal }) =>
      await userRows(archive.reader, query, { at: query.asof ?? at, signal }),
  ),

  calls: listSubject(
    callList,
    async ({ archive }, query, { at, signal }) =>
      await loadCallRows(archive.reader, query, { at: toPast(query.asof, at), signal }),
  ),

  audit: listSubject(auditList, ({ auditFile }, query) => auditRows(auditFile, query)),

  quarantine: listSubject(quarantineList, (_deps, query) => quarantineRows(query)),

  lookups: listSubject(lookupList, ({ archive }, query) => lookupRows(archive.reader, query)),
}

export const respondExport =
  ({ of, format }: Pick<ExportOperation, 'of' | 'format'>): Respond =>
  async (deps, { request, params }) => {
    const { described, form } = await SUBJECTS[of](deps, format, params)
    const { columns } = described
    return await sendExport(deps, request, {
      ...described,
      of,
      format,
      toBody: async (source, meta, closing) => {
        if (format !== 'parquet') return toTextBody(source, meta, { format, form, columns })
        if (!source.writeParquet) throw new Error('These rows are not written as Parquet.')
        const file = await source.writeParquet(columns, toTexts(meta))
        closing.push(file.close)
        await source.close()
        return { chunks: file.chunks(), bytes: file.bytes }
      },
    })
  }

const toTexts = (meta: ExportMeta): Record<string, string> =>
  Object.fromEntries(
    Object.entries(meta).map(([name, fact]) => [
      name,
      typeof fact === 'object' && fact !== null ? JSON.stringify(fact) : String(fact ?? ''),
    ]),
  )
