import { differenceList } from '#lib/contract/lists/edition-differences.ts'
import { facetsQuestion, pageQuestion } from './lists.ts'
import { defineQuestions } from './operation.ts'

export const differenceQuestions = defineQuestions({
  differences: pageQuestion(
    differenceList,
    async () => (await import('#lib/contract/answers/edition-differences.ts')).differencesPage,
  ),
  differenceFacets: facetsQuestion(
    differenceList,
    async () =>
      (await import('#lib/contract/answers/edition-differences.ts')).differenceFacetsAnswer,
  ),
})
