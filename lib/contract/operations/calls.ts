import { callsQuery } from '#lib/contract/lists/calls.ts'
import { defineQuestions } from './operation.ts'

export const callQuestions = defineQuestions({
  calls: {
    id: 'listCalls',
    address: '/api/calls',
    parts: {},
    permission: 'read',
    query: callsQuery,
    answer: async () => (await import('#lib/contract/answers/track.ts')).callsPage,
    tag: 'Users',
    summary: 'Ratings held against prices, one page of them',
    cached: 'archive',
  },
})
