import { noQuery } from '#lib/contract/api-queries.ts'
import { differencesQuery } from '#lib/contract/lists/edition-differences.ts'
import { defineQuestions } from './operation.ts'

export const editionQuestions = defineQuestions({
  differences: {
    id: 'listDifferences',
    address: '/api/editions/differences',
    parts: {},
    permission: 'read',
    query: differencesQuery,
    answer: async () =>
      (await import('#lib/contract/answers/edition-differences.ts')).differencesPage,
    tag: 'Dumps',
    summary: 'What differs between two editions of the posts, one page of it',
    cached: 'archive',
  },
  differenceFacets: {
    id: 'countDifferences',
    address: '/api/editions/differences/facets',
    parts: {},
    permission: 'read',
    query: differencesQuery,
    answer: async () =>
      (await import('#lib/contract/answers/edition-differences.ts')).differenceFacetsAnswer,
    tag: 'Dumps',
    summary: 'How many such ratings each value of a filter would leave',
    cached: 'archive',
  },
  dumps: {
    id: 'listDumps',
    address: '/api/dumps',
    parts: {},
    permission: 'read',
    query: noQuery,
    answer: async () => (await import('#lib/contract/answers/status.ts')).dumpsAnswer,
    tag: 'Dumps',
    summary: 'What is kept of both dumps',
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
    summary: 'Every edition on disk',
    cached: 'no',
  },
})
