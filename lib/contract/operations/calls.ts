import { callList } from '#lib/contract/lists/calls.ts'
import { pageQuestion } from './lists.ts'
import { defineQuestions } from './operation.ts'

export const callQuestions = defineQuestions({
  calls: pageQuestion(
    callList,
    async () => (await import('#lib/contract/answers/track.ts')).callsPage,
  ),
})
