import { lookupList } from '#lib/contract/lists/lookups.ts'
import { facetsQuestion, pageQuestion } from './lists.ts'
import { defineQuestions } from './operation.ts'

export const lookupQuestions = defineQuestions({
  lookups: pageQuestion(
    lookupList,
    async () => (await import('#lib/contract/answers/lookups.ts')).lookupsPage,
  ),
  lookupFacets: facetsQuestion(
    lookupList,
    async () => (await import('#lib/contract/answers/lookups.ts')).lookupFacetsAnswer,
  ),
})
