import { auditRows } from '#lib/archive/audit/audit-rows.ts'
import { selectAll } from '#lib/archive/lists/select-list.ts'
import { quarantineRows } from '#lib/archive/quarantine/quarantine.ts'
import { selectTables } from '#lib/contract/database/tables.ts'
import { auditList } from '#lib/contract/lists/audit.ts'
import { quarantineList } from '#lib/contract/lists/quarantine.ts'
import type { alertOperations, processOperations } from '#lib/contract/operations/commands.ts'
import {
  type databaseQuestions,
  EXPORT_OPERATIONS,
  type feedOperations,
} from '#lib/contract/operations/files.ts'
import type { inspectionQuestions } from '#lib/contract/operations/inspection.ts'
import type { QUESTIONS } from '#lib/contract/operations/operations.ts'
import { alertResponders } from './alerts.ts'
import { changeAnswers, respondChangesFeed } from './changes.ts'
import type { AnswersTo, Respond, RespondersTo } from './endpoint.ts'
import { respondExport } from './exports.ts'
import { respondRatingsFeed } from './feeds.ts'
import { answerFacets, answerPage, editionAnswers, lookupAnswers } from './lists.ts'
import { ratingAnswers } from './ratings.ts'
import { toAnswer, toMeta } from './respond.ts'
import { processResponders, stateAnswers } from './status.ts'
import { symbolAnswers } from './symbols.ts'
import { callAnswers, userAnswers } from './users.ts'

const databaseAnswers: AnswersTo<typeof databaseQuestions> = {
  database: async (deps, { query, signal }) => {
    const { bytes, etag, rows, asOf, completeTo, generation } = await deps.database.ensure({
      tables: query.tables,
      signal,
    })
    const tables = selectTables(query.tables).map((table) => ({
      ...table,
      columns: [...table.columns],
      rows: rows[table.name] ?? 0,
    }))
    const meta = { as_of: asOf, complete_to: completeTo, generation }
    return toAnswer({ bytes, etag, tables }, { meta })
  },
}

const feedResponders: RespondersTo<typeof feedOperations> = {
  followRatings: respondRatingsFeed,
  followChanges: respondChangesFeed,
}

const inspectionAnswers: AnswersTo<typeof inspectionQuestions> = {
  quarantine: async (deps, { query, signal }) => {
    const rows = quarantineRows(query)
    const all = await selectAll(deps.archive.reader, rows, { signal })
    const { quarantined: received } = deps.archive.state()
    const meta = { ...toMeta(deps, deps.now()), all, received }
    return await answerPage(deps, rows, { query, meta, signal })
  },

  quarantineFacets: async (deps, { query, signal }) =>
    await answerFacets(deps, quarantineList, quarantineRows(query), {
      meta: toMeta(deps, deps.now()),
      signal,
    }),

  audit: async (deps, { query, signal }) => {
    const rows = auditRows(deps.auditFile, query)
    const all = rows ? await selectAll(deps.archive.reader, rows, { signal }) : 0
    const meta = { ...toMeta(deps, deps.now()), all }
    return await answerPage(deps, rows, { query, meta, signal })
  },

  auditFacets: async (deps, { query, signal }) =>
    await answerFacets(deps, auditList, auditRows(deps.auditFile, query), {
      meta: toMeta(deps, deps.now()),
      signal,
    }),
}

export const ANSWERS: AnswersTo<typeof QUESTIONS> = {
  ...ratingAnswers,
  ...changeAnswers,
  ...symbolAnswers,
  ...userAnswers,
  ...callAnswers,
  ...lookupAnswers,
  ...editionAnswers,
  ...databaseAnswers,
  ...stateAnswers,
  ...inspectionAnswers,
}

const NAMED: RespondersTo<
  typeof feedOperations & typeof processOperations & typeof alertOperations
> = { ...feedResponders, ...processResponders, ...alertResponders }

export const RESPONDERS: ReadonlyMap<string, Respond> = new Map([
  ...Object.entries(NAMED),
  ...EXPORT_OPERATIONS.map((operation) => [operation.id, respondExport(operation)] as const),
])
