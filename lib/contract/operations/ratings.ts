import { asofQuery, changesQuery } from '#lib/contract/api-queries.ts'
import { ratingsQuery } from '#lib/contract/ratings-query.ts'
import { watchingQuery } from '#lib/contract/watching-query.ts'
import { defineQuestions } from './operation.ts'
import { ratingPart } from './parts.ts'

export const ratingQuestions = defineQuestions({
  ratings: {
    id: 'listRatings',
    address: '/api/ratings',
    parts: {},
    permission: 'read',
    query: ratingsQuery,
    answer: async () => (await import('#lib/contract/answers/ratings.ts')).ratingsPage,
    tag: 'Ratings',
    summary: 'One page of ratings',
    cached: 'row',
  },
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
  facets: {
    id: 'countFacets',
    address: '/api/facets',
    parts: {},
    permission: 'read',
    query: ratingsQuery,
    answer: async () => (await import('#lib/contract/answers/ratings.ts')).facetsAnswer,
    tag: 'Ratings',
    summary: 'Counts of ratings per filter value',
    cached: 'archive',
  },
})
