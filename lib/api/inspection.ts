import { auditRows } from '#lib/archive/audit/audit-rows.ts'
import { selectAll } from '#lib/archive/lists/select-list.ts'
import { quarantineRows } from '#lib/archive/quarantine/quarantine.ts'
import { auditList } from '#lib/contract/lists/audit.ts'
import { quarantineList } from '#lib/contract/lists/quarantine.ts'
import type { inspectionQuestions } from '#lib/contract/operations/inspection.ts'
import type { AnswersTo } from './endpoint.ts'
import { answerFacets, answerPage } from './lists.ts'
import { toMeta } from './respond.ts'

export const inspectionAnswers: AnswersTo<typeof inspectionQuestions> = {
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
