import { changesQuery } from '#lib/contract/api-queries.ts'
import { watchingQuery } from '#lib/contract/watching-query.ts'
import { defineQuestions } from './operation.ts'

export const changeQuestions = defineQuestions({
  changes: {
    id: 'getChanges',
    address: '/api/changes',
    parts: {},
    permission: 'read',
    query: changesQuery,
    answer: async () => (await import('#lib/contract/answers/changes.ts')).changesAnswer,
    tag: 'Ratings',
    summary: 'Changes in a period',
    cached: 'archive',
  },
  watching: {
    id: 'getWatching',
    address: '/api/watching',
    parts: {},
    permission: 'read',
    query: watchingQuery,
    answer: async () => (await import('#lib/contract/answers/watching.ts')).watchingAnswer,
    tag: 'Ratings',
    summary: 'Current counts of watched symbols, users and views',
    cached: 'archive',
  },
})
