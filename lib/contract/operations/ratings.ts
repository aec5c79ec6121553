import { asofQuery, changesQuery } from '#lib/contract/api-queries.ts'
import { lookupList } from '#lib/contract/lists/lookups.ts'
import { ratingList } from '#lib/contract/lists/ratings.ts'
import { watchingQuery } from '#lib/contract/watching-query.ts'
import { defineQuestions, facetsQuestion, pageQuestion, ratingPart } from './operation.ts'

export const ratingQuestions = defineQuestions({
  ratings: pageQuestion(
    ratingList,
    async () => (await import('#lib/contract/answers/ratings.ts')).ratingsPage,
  ),
  rating: {
    id: 'getRating',
    address: '/api/ratings/{id}',
    parts: { id: ratingPart },
    permission: 'read',
    query: asofQuery,
    answer: async () => (await import('#lib/contract/answers/ratings.ts')).ratingAnswer,
    tag: 'Ratings',
    summary: 'One rating and the user’s history of that symbol',
    cached: 'row',
  },
  facets: {
    ...facetsQuestion(
      ratingList,
      async () => (await import('#lib/contract/answers/ratings.ts')).facetsAnswer,
    ),
    id: 'countFacets',
    address: '/api/facets',
    cached: 'archive',
  },
})

export const lookupQuestions = defineQuestions({
  lookups: pageQuestion(
    lookupList,
    async () => (await import('#lib/contract/answers/lookups.ts')).lookupsPage,
  ),
  lookupFacets: facetsQuestion(
    lookupList,
    async () => (await import('#lib/contract/answers/lookups.ts')).lookupFacetsAnswer,
  ),
})

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
    answer: async () => (await import('../answers/changes.ts')).watchingAnswer,
    tag: 'Ratings',
    summary: 'Current counts of watched symbols, users and views',
    cached: 'archive',
  },
})
