import { noQuery } from '#lib/contract/api-queries.ts'
import { auditList } from '#lib/contract/lists/audit.ts'
import { quarantineList } from '#lib/contract/lists/quarantine.ts'
import { facetsQuestion, pageQuestion } from './lists.ts'
import { defineQuestions } from './operation.ts'

export const stateQuestions = defineQuestions({
  status: {
    id: 'getStatus',
    address: '/api/status',
    parts: {},
    permission: 'read',
    query: noQuery,
    answer: async () => (await import('#lib/contract/answers/status.ts')).statusAnswer,
    tag: 'State',
    summary: 'What the archive holds and what keeps it current',
    cached: 'no',
  },
  quarantine: pageQuestion(
    quarantineList,
    async () => (await import('#lib/contract/answers/status.ts')).quarantinePage,
  ),
  quarantineFacets: facetsQuestion(
    quarantineList,
    async () => (await import('#lib/contract/answers/status.ts')).quarantineFacetsAnswer,
  ),
  audit: pageQuestion(auditList, async () =>
    (await import('#lib/contract/answers/lists.ts')).toPageAnswer(auditList, {}),
  ),
  auditFacets: facetsQuestion(auditList, async () =>
    (await import('#lib/contract/answers/lists.ts')).toFacetsAnswer(auditList, {}),
  ),
})
