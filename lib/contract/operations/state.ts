import { noQuery } from '#lib/contract/api-queries.ts'
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
    summary: 'Archive, sync and operation status',
    cached: 'no',
  },
})
