import { noQuery, quarantineQuery } from '#lib/contract/api-queries.ts'
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
  quarantine: {
    id: 'listQuarantine',
    address: '/api/quarantine',
    parts: {},
    permission: 'inspect',
    query: quarantineQuery,
    answer: async () => (await import('#lib/contract/answers/status.ts')).quarantinePage,
    tag: 'State',
    summary: 'Rows that came and are no ratings',
    cached: 'no',
  },
})
