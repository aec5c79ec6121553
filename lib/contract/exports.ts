import * as z from 'zod/mini'
import { envelope, meta } from './answers/envelope.ts'
import { toFileSchema } from './answers/lists.ts'
import { ratingDetail } from './answers/ratings.ts'
import { CSV_PARAMETERS, EXPORT_COLUMNS, type ExportColumn, ROW_COLUMNS } from './export-choice.ts'
import type { AnyList } from './lists/define-list.ts'
import { LISTS, type ListPath } from './lists/lists.ts'
import { isProblem, type Parameter, parameter } from './query-parameters.ts'
import { type Parameters, type QuerySchema, querySchema } from './query-schema.ts'
import { ratingsQuery } from './ratings-query.ts'

const names = parameter.names(
  `Columns, in order: ${EXPORT_COLUMNS.join(', ')}.`,
  'symbol,rating,prediction',
  EXPORT_COLUMNS,
)

const columnsParameter: Parameter<readonly ExportColumn[]> = {
  ...names,
  default: ROW_COLUMNS,
  unset: 'all except `extra`.',
  read: (values) => {
    const asked = names.read(values)
    if (isProblem(asked)) return asked
    const known = asked.flatMap((name) => EXPORT_COLUMNS.find((column) => column === name) ?? [])
    const unknown = asked.find((name) => known.every((column) => column !== name))
    if (unknown === undefined) return known
    return { problem: `names ${unknown}, which is not one of ${EXPORT_COLUMNS.join(', ')}` }
  },
}

export const exportQuery = querySchema(
  { ...ratingsQuery.parameters, columns: columnsParameter },
  ratingsQuery,
)

export const withCsv = <P extends Parameters>(query: QuerySchema<P>) =>
  querySchema({ ...query.parameters, ...CSV_PARAMETERS }, query)

const METHODS: ReadonlyMap<ListPath, string> = new Map(
  LISTS.map(({ path, method }) => [path, method]),
)

export const exportMeta = z.extend(meta, {
  rows: z.int(),
  gaps: z.int(),
  of: z.enum([...METHODS.keys()]),
  query: z.string(),
  filters: z.record(z.string(), z.string()),
  columns: z.readonly(z.array(z.string())),
  time_zone: z.literal('UTC'),
  service: z.string(),
  invented: z.boolean(),
  method: z.string(),
})
export type ExportMeta = z.infer<typeof exportMeta>

const file = <R extends z.ZodMiniType>(row: R) =>
  envelope(z.array(row), { meta: exportMeta, rows: z.int() })

const exportedRating = z.partial(z.omit(ratingDetail, { effective_until: true }))

export const exportedRatings = file(exportedRating)

export const toExportedRows = (list: AnyList) => file(toFileSchema(list))

export const toMethod = (of: ListPath): string => METHODS.get(of) ?? ''
