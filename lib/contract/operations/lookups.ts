import { lookupsQuery } from '#lib/contract/lists/lookups.ts'
import { defineQuestions } from './operation.ts'

export const lookupQuestions = defineQuestions({
  lookups: {
    id: 'listLookups',
    address: '/api/lookups',
    parts: {},
    permission: 'read',
    query: lookupsQuery,
    answer: async () => (await import('#lib/contract/answers/lookups.ts')).lookupsPage,
    tag: 'Symbols',
    summary: 'Who looked up which symbol, one page of them',
    cached: 'archive',
  },
  lookupFacets: {
    id: 'countLookups',
    address: '/api/lookups/facets',
    parts: {},
    permission: 'read',
    query: lookupsQuery,
    answer: async () => (await import('#lib/contract/answers/lookups.ts')).lookupFacetsAnswer,
    tag: 'Symbols',
    summary: 'How many look-ups each value of a filter would leave',
    cached: 'archive',
  },
})
