import { asofQuery, trackQuery } from '#lib/contract/api-queries.ts'
import { callList } from '#lib/contract/lists/calls.ts'
import { nearUsersQuery } from '#lib/contract/lists/users.ts'
import { defineQuestions, pageQuestion, userPart } from './operation.ts'

export const userQuestions = defineQuestions({
  users: {
    id: 'listUsers',
    address: '/api/users',
    parts: {},
    permission: 'read',
    query: nearUsersQuery,
    answer: async () => (await import('#lib/contract/answers/users.ts')).usersPage,
    tag: 'Users',
    summary: 'Users with their rating counts',
    cached: 'archive',
  },
  user: {
    id: 'getUser',
    address: '/api/users/{id}',
    parts: { id: userPart },
    permission: 'read',
    query: asofQuery,
    answer: async () => (await import('#lib/contract/answers/users.ts')).userAnswer,
    tag: 'Users',
    summary: 'One user',
    cached: 'row',
  },
  userRatings: {
    id: 'listUserRatings',
    address: '/api/users/{id}/calls',
    parts: { id: userPart },
    permission: 'read',
    query: asofQuery,
    answer: async () => (await import('#lib/contract/answers/users.ts')).userRatingsAnswer,
    tag: 'Users',
    summary: 'A user’s ratings per symbol and how long each was active',
    cached: 'archive',
  },
  track: {
    id: 'getUserTrack',
    address: '/api/users/{id}/track',
    parts: { id: userPart },
    permission: 'read',
    query: trackQuery,
    answer: async () => (await import('#lib/contract/answers/track.ts')).trackAnswer,
    tag: 'Users',
    summary: 'A user’s track record by prices',
    cached: 'archive',
  },
  communityRecord: {
    id: 'getRecord',
    address: '/api/record',
    parts: {},
    permission: 'read',
    query: trackQuery,
    answer: async () => (await import('#lib/contract/answers/track.ts')).communityRecordAnswer,
    tag: 'Users',
    summary: 'The track record of all users by prices',
    cached: 'archive',
  },
})

export const callQuestions = defineQuestions({
  calls: pageQuestion(
    callList,
    async () => (await import('#lib/contract/answers/track.ts')).callsPage,
  ),
})
