import { auditList } from '#lib/contract/lists/audit.ts'
import { quarantineList } from '#lib/contract/lists/quarantine.ts'
import { defineQuestions, facetsQuestion, pageQuestion } from './operation.ts'

/** Kept apart so that only operators' pages load them. */
export const inspectionQuestions = defineQuestions({
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
