import { asofQuery } from '#lib/contract/api-queries.ts'
import { ratingsQuery } from '#lib/contract/ratings-query.ts'
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
