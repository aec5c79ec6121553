import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WatchingAnswer } from '#lib/contract/answers/changes.ts'
import { parseParameters, toQueryText } from '#lib/contract/query-schema.ts'
import { watchingQuery } from '#lib/contract/watching-query.ts'
import { toNewsAddress } from './news-address.ts'
import { type Stars, toStarId, watchedSymbol, watchedUser, withLook, withStar } from './stars.ts'
import {
  readWatchedView,
  toLooks,
  toViewTexts,
  toWatchedLines,
  toWatchingParams,
} from './watched-lines.ts'
import { toDifference } from './watching-screen.tsx'

const watchedView = (key: string, name: string) => ({ kind: 'view', key, name }) as const
const views = [
  { id: 'buys', name: 'Buys', address: 'rating=5,4&sort=id&columns=id&tz=Europe/Berlin' },
  { id: 'bad', name: 'Bad', address: 'rating=x' },
]
const things = [
  watchedSymbol('aapl'),
  watchedUser(12),
  watchedView('buys', 'Buys'),
  watchedView('bad', 'Bad'),
  watchedView('gone', 'Was here'),
  watchedSymbol('nobody'),
]
const stars = things.reduce<Stars>(withStar, [])

const answer = (ratings: number): WatchingAnswer => {
  const held = {
    ratings,
    newest: Array.from({ length: ratings }, (_, index) => ratings - index),
    last_created_at: 100,
  }
  const nothing = { ratings: 0, newest: [], last_created_at: null }
  return {
    success: true,
    code: 200,
    meta: { as_of: 1000 + ratings, complete_to: 1000, generation: ratings },
    data: {
      symbols: [
        { symbol: 'Aapl', name: 'Apple Inc.', ...held, active: 2, consensus: '3.5000' },
        { symbol: 'NOBODY', name: null, ...nothing, active: 0, consensus: null },
      ],
      users: [{ user_id: 12, ...held }],
      views: [{ view: 'rating=4,5', ...held }],
    },
  }
}
const lines = (of: typeof stars, ratings: number) =>
  toWatchedLines(of, { views, answers: [answer(ratings)] })

test('what is watched is asked for in one address, a view by what it filters alone', () => {
  const asked = toWatchingParams(stars, toViewTexts(views))
  expect(asked.map(toQueryText)).toEqual(['?symbol=AAPL,NOBODY&user=12&view=rating%3D4,5'])
})

test('every thing is asked for once, in addresses that the route takes and that are not too long', () => {
  const aSymbol = fc.stringMatching(/^[A-Z",\- äß☃]{1,64}$/).filter((text) => text.trim() !== '')
  fc.assert(
    fc.property(fc.uniqueArray(aSymbol, { maxLength: 100 }), (symbols) => {
      const all = symbols.map(watchedSymbol).reduce<Stars>(withStar, [])
      const asked = toWatchingParams(all, new Map())
      for (const params of asked) expect(toQueryText(params).length).toBeLessThanOrEqual(6000)
      const read = asked.flatMap((params) => {
        const parsed = parseParameters(watchingQuery, params)
        return parsed.ok ? parsed.value.symbol.only : ['refused']
      })
      expect(read.sort()).toEqual(all.map(({ key }) => key).sort())
    }),
  )
})

test('each star is told with its name, its page and what came, and one that points at nothing says so', () => {
  const looked = withLook(stars, toLooks(lines(stars, 3)))
  const told = lines(looked, 5).map(({ label, detail, href, news, gone }) => ({
    label,
    detail,
    href,
    news,
    gone,
  }))
  const news = { count: 2, ids: [5, 4] }
  const none = { count: 0, ids: [] }
  expect(told).toEqual([
    { label: 'Aapl', detail: 'Apple Inc.', href: '/symbols/Aapl', news, gone: null },
    { label: 'User 12', detail: null, href: '/users/12', news, gone: null },
    { label: 'Buys', detail: null, href: '/?rating=5,4&sort=id&columns=id', news, gone: null },
    {
      label: 'Bad',
      detail: null,
      href: '/?rating=x',
      news: none,
      gone: 'The address of this view can no longer be read.',
    },
    { label: 'Was here', detail: null, href: null, news: none, gone: 'This view was deleted.' },
    {
      label: 'NOBODY',
      detail: null,
      href: '/symbols/NOBODY',
      news: none,
      gone: 'The archive holds no rating of this symbol.',
    },
  ])
})

test('before the first answer nothing is known, and nothing is gone that may be there', () => {
  const told = toWatchedLines(stars, { views, answers: [] })
  expect(told.map(({ held, gone }) => [held, gone])).toEqual([
    [null, null],
    [null, null],
    [null, null],
    [null, 'The address of this view can no longer be read.'],
    [null, 'This view was deleted.'],
    [null, null],
  ])
})

test('how a view is looked at is no part of what it watches', () => {
  expect(readWatchedView('rating=5&page=3&per_page=7&open=1&tz=nowhere&columns=9')).toBe('rating=5')
  expect(readWatchedView('')).toBe('')
  expect(readWatchedView('symbol=A&what=1')).toBe(null)
})

test('the way to what came is exactly that, or where not all has a name, what was posted after', () => {
  const symbol = watchedSymbol('A,B')
  const seen = { newestAt: 1_704_067_199, of: '' }
  expect(toNewsAddress(symbol, seen, { count: 2, ids: [7, 3] })).toEqual({
    href: '/?id=3,7',
    isExact: true,
  })
  expect(toNewsAddress(symbol, seen, { count: 3, ids: [7, 3] })).toEqual({
    href: '/?symbol=%22A,B%22&from=2024-01-01',
    isExact: false,
  })
  expect(toNewsAddress(watchedUser(-3), seen, { count: 3, ids: [] }).href).toBe(
    '/?user=%22-3%22&from=2024-01-01',
  )
  const view = watchedView('v', '')
  const open = { ...seen, of: 'rating=5&from=2025-01-01' }
  expect(toNewsAddress(view, open, { count: 3, ids: [] }).href).toBe('/?rating=5&from=2025-01-01')
  const ended = { ...seen, of: 'rating=5&to=2023-01-01' }
  expect(toNewsAddress(view, ended, { count: 3, ids: [] }).href).toBe('/?rating=5&to=2023-01-01')
})

test('a change of consensus is the difference of both to the last digit', () => {
  expect(toDifference('3.3333', '3.7100')).toBe('0.3767')
  expect(toDifference('5.0000', '1.0000')).toBe('-4.0000')
  expect(toDifference('3.0001', '3.0000')).toBe('-0.0001')
  expect(toDifference('3.0000', '3.0000')).toBe('0.0000')
})

test('one address stands for two views that filter alike', () => {
  const twins = [...views, { id: 'twin', name: 'Twin', address: 'rating=4,5' }]
  const starred = [watchedView('buys', ''), watchedView('twin', '')].reduce<Stars>(withStar, [])
  expect(toWatchingParams(starred, toViewTexts(twins)).map(toQueryText)).toEqual([
    '?view=rating%3D4,5',
  ])
  const told = toWatchedLines(starred, { views: twins, answers: [answer(2)] })
  expect(told.map(({ id, held }) => [id, held?.ratings])).toEqual([
    [toStarId(watchedView('buys', '')), 2],
    [toStarId(watchedView('twin', '')), 2],
  ])
})
