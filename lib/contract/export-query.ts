import { symbolsQuery, usersQuery } from './api-queries.ts'
import { EXPORT_COLUMNS, type ExportColumn, FORMULAS, ROW_COLUMNS } from './export-choice.ts'
import { isProblem, type Parameter, parameter, querySchema } from './query-schema.ts'
import { RATINGS_PARAMETERS, refuseEmptySpans } from './ratings-query.ts'

const namesParameter = parameter.names()

const columnsParameter: Parameter<readonly ExportColumn[]> = {
  absent: ROW_COLUMNS,
  read: (values) => {
    const asked = namesParameter.read(values)
    if (isProblem(asked)) return asked
    const known = asked.flatMap((name) => EXPORT_COLUMNS.find((column) => column === name) ?? [])
    const unknown = asked.find((name) => known.every((column) => column !== name))
    if (unknown === undefined) return known
    return { problem: `names ${unknown}, which is none of ${EXPORT_COLUMNS.join(', ')}` }
  },
}

/** What only CSV can be asked. */
const CSV_PARAMETERS = {
  formulas: parameter.choice(FORMULAS, 'safe'),
  bom: parameter.choice(['0', '1'], '0'),
}

const EXPORT_PARAMETERS = { ...RATINGS_PARAMETERS, columns: columnsParameter }

/** What an export is asked: the query of ratings, and its columns in their order. `page` and `per_page` do not count. */
export const exportQuery = querySchema(EXPORT_PARAMETERS, refuseEmptySpans)

/** The same for CSV, with what only CSV can be asked. */
export const csvExportQuery = querySchema(
  { ...EXPORT_PARAMETERS, ...CSV_PARAMETERS },
  refuseEmptySpans,
)

/** The leagues as CSV: each one's own query, and what only CSV can be asked. */
export const symbolsCsvQuery = querySchema({ ...symbolsQuery.parameters, ...CSV_PARAMETERS })
export const usersCsvQuery = querySchema({ ...usersQuery.parameters, ...CSV_PARAMETERS })
export const CSV_NAMES = Object.keys(CSV_PARAMETERS)
