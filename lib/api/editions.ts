import type { editionQuestions } from '#lib/contract/operations/editions.ts'
import type { AnswersTo } from './endpoint.ts'
import { toAnswer } from './respond.ts'

export const editionAnswers: AnswersTo<typeof editionQuestions> = {
  dumps: async ({ editions, lookups }) =>
    toAnswer({
      posts: editions.card('posts'),
      lookups: { ...editions.card('lookups'), imported: lookups.report() },
    }),

  editions: async ({ editions }) =>
    toAnswer({ posts: editions.list('posts'), lookups: editions.list('lookups') }),
}
