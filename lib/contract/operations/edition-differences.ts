import { differencesQuery } from '#lib/contract/lists/edition-differences.ts'
import { defineQuestions } from './operation.ts'

export const differenceQuestions = defineQuestions({
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
})
