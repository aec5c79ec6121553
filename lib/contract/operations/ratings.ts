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
    summary: 'One page of the ratings of a query',
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
    summary: 'One rating, with what its user said of the symbol before and after',
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
    summary: 'What changed in a period',
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
    summary: 'What many symbols, users and views hold, to tell what is new',
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
    summary: 'How many ratings each value of a filter would leave',
    cached: 'archive',
  },
})
