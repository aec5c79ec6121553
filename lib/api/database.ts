import { DATABASE_TABLES } from '#lib/contract/database/tables.ts'
import type { databaseQuestions } from '#lib/contract/operations/database.ts'
import type { AnswersTo } from './endpoint.ts'
import { toAnswer } from './respond.ts'

export const databaseAnswers: AnswersTo<typeof databaseQuestions> = {
  database: async (deps, { signal }) => {
    const { bytes, etag, rows, asOf, completeTo, generation } = await deps.database.ensure({
      signal,
    })
    const tables = DATABASE_TABLES.map((table) => ({
      ...table,
      columns: [...table.columns],
      rows: rows[table.name],
    }))
    const meta = { as_of: asOf, complete_to: completeTo, generation }
    return toAnswer({ bytes, etag, tables }, { meta })
  },
}
