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

export const editionQuestions = defineQuestions({
  dumps: {
    id: 'listDumps',
    address: '/api/dumps',
    parts: {},
    permission: 'read',
    query: noQuery,
    answer: async () => (await import('#lib/contract/answers/status.ts')).dumpsAnswer,
    tag: 'Dumps',
    summary: 'The state of both dumps',
    cached: 'no',
  },
  editions: {
    id: 'listEditions',
    address: '/api/editions',
    parts: {},
    permission: 'read',
    query: noQuery,
    answer: async () => (await import('#lib/contract/answers/status.ts')).editionsAnswer,
    tag: 'Dumps',
    summary: 'All editions on disk',
    cached: 'no',
  },
})
