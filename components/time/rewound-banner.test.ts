import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { ratingsOptions } from '#lib/client/query-options.ts'
import { seriesOptions } from '#lib/client/symbol-options.ts'
import { userOptions } from '#lib/client/user-options.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { hasFailed, isWaiting, toPathAt, toStepOfKey } from './rewound-banner.tsx'

const FROM = Date.UTC(2024, 7, 2, 23, 59, 59) / 1000
const TO = FROM + 86_400

it('what is asked ahead has the very key that the screen will ask with', () => {
  const keys = [FROM, TO].map((asof) => [
    ratingsOptions({ ...EVERY_RATING, asof, page: 2 }).queryKey[1],
    userOptions(12, asof).queryKey[1],
    seriesOptions('AAPL', new URLSearchParams({ bucket: 'week', asof: String(asof) })).queryKey[1],
  ])
  const [[ratings = '', user = ''] = [], [laterRatings, laterUser] = []] = keys
  expect(toPathAt(ratings, FROM, TO)).toBe(laterRatings)
  expect(toPathAt(user, FROM, TO)).toBe(laterUser)
})

it('a path at no instant, or at another one, is left alone', () => {
  expect(toPathAt('/api/ratings?symbol=AAPL', FROM, TO)).toBeNull()
  expect(toPathAt('/api/ratings?asof=2024-08-01', FROM, TO)).toBeNull()
  expect(toPathAt('/api/users?asof=2024-08-02&page=2', FROM, TO)).toBe(
    '/api/users?asof=2024-08-03&page=2',
  )
})

it('nothing is waited for, and nothing has failed, where nothing is shown', () => {
  const client = new QueryClient()
  client.setQueryData(['ratings', '/api/ratings'], {})
  expect([isWaiting(client), hasFailed(client)]).toEqual([false, false])
})

const NOTHING = {
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  defaultPrevented: false,
  isComposing: false,
  target: null,
}
const press = (key: string, how: Partial<typeof NOTHING> = {}) =>
  toStepOfKey({ ...NOTHING, ...how, key })

it('brackets step a day, braces a week', () => {
  expect(['[', ']', '{', '}'].map((key) => press(key))).toEqual([-1, 1, -7, 7])
  expect(['(', 'a', 'Enter', 'toString'].map((key) => press(key))).toEqual([null, null, null, null])
})

it('they do on keyboards that reach them by AltGr or Option', () => {
  expect(press('[', { ctrlKey: true, altKey: true })).toBe(-1)
  expect(press(']', { altKey: true })).toBe(1)
})

it('a shortcut of the browser, and what somebody else took, stays theirs', () => {
  expect(press('[', { metaKey: true })).toBeNull()
  expect(press(']', { ctrlKey: true })).toBeNull()
  expect(press('[', { defaultPrevented: true })).toBeNull()
  expect(press('[', { isComposing: true })).toBeNull()
})
