import { asofQuery } from '#lib/contract/api-queries.ts'
import { ratingList } from '#lib/contract/lists/ratings.ts'
import { facetsQuestion, pageQuestion } from './lists.ts'
import { defineQuestions } from './operation.ts'
import { ratingPart } from './parts.ts'

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
