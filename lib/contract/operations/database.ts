import { databaseQuery } from '#lib/contract/api-queries.ts'
import { defineQuestions } from './operation.ts'

export const databaseQuestions = defineQuestions({
  database: {
    id: 'describeDatabase',
    address: '/api/database',
    parts: {},
    permission: 'export',
    query: databaseQuery,
    answer: async () => (await import('#lib/contract/answers/database.ts')).databaseAnswer,
    tag: 'Ratings',
    summary: 'Description of the database file',
    cached: 'no',
  },
})
