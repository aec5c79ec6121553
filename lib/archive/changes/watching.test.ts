import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseParameters } from '#lib/contract/query-schema.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { only } from '#lib/contract/value-list.ts'
import { toWatchedText, watchingQuery } from '#lib/contract/watching-query.ts'
import { holdAgainstCounting } from '#testing/archive/against-counting.ts'
import {
  aCommunityOrCrowd,
  aRatingsQuery,
  importRows,
  makeRating,
  openMemory,
  START,
} from '#testing/archive/arbitrary.ts'
import { keyOf } from '#testing/archive/oracle.ts'
import { watchingOf } from '#testing/archive/watching-oracle.ts'
import { queries } from '#testing/contract/queries.ts'
import { selectWatching } from './watching.ts'

const someViews = fc.uniqueArray(aRatingsQuery, { maxLength: 3, selector: toWatchedText })

test('what things hold is what looking at every row says, of those that nobody knows too', async () => {
  const effort = { communities: 16, questions: 4, of: aCommunityOrCrowd }
  let held = 0
  await holdAgainstCounting(someViews, effort, async ({ archive, rows, asked, at }) => {
    const views = asked.map((query) => ({ ...query, page: 1, sort: EVERY_RATING.sort }))
    const symbols = [...new Set(rows.map(keyOf)), 'NOBODY RATED']
    const users = [...new Set(rows.map(({ user_id }) => user_id)), 999_999_999]
    const query = { symbol: only(...symbols), user: only(...users), view: views }
    const answer = await selectWatching(archive.reader, query, { at })
    expect(answer).toEqual(watchingOf(rows, { symbols, users, views }, at))
    held += answer.symbols.filter(({ ratings }) => ratings > 0).length
  })
  expect(held).toBeGreaterThan(0)
})

test('of many ratings the newest fifty are named, and all are counted', async () => {
  const archive = await openMemory()
  const rows = Array.from({ length: 60 }, (_, index) =>
    makeRating({ id: index + 1, user_id: index, created_at: START + Math.floor(index / 2) }),
  )
  await importRows(archive, rows)
  const query = { symbol: only('AAPL'), user: only(7), view: [EVERY_RATING] }
  const { symbols, users, views } = await selectWatching(archive.reader, query, { at: START + 60 })
  const newest = Array.from({ length: 50 }, (_, index) => 60 - index)
  expect(symbols).toMatchObject([{ symbol: 'AAPL', ratings: 60, newest }])
  expect(users).toMatchObject([{ user_id: 7, ratings: 1, newest: [8] }])
  expect(views).toEqual([{ view: '', ratings: 60, newest, last_created_at: START + 29 }])
  await archive.close()
})

test('ratings of long ago are found too, and the next commit is counted', async () => {
  const archive = await openMemory()
  const year = 365 * 86_400
  const rows = [
    makeRating({ id: 1, symbol: 'OLD', created_at: START }),
    makeRating({ id: 2, symbol: 'BOTH', created_at: START }),
    makeRating({ id: 3, symbol: 'BOTH', created_at: START + 3 * year }),
    makeRating({ id: 4, symbol: 'NEW', created_at: START + 3 * year }),
  ]
  await importRows(archive, rows)
  const query = { symbol: only('OLD', 'BOTH', 'NEW'), user: only<number>(), view: [] }
  const ask = async () =>
    (await selectWatching(archive.reader, query, { at: START })).symbols.map(({ newest }) => newest)
  expect(await ask()).toEqual([[1], [3, 2], [4]])
  await importRows(archive, [makeRating({ id: 5, symbol: 'OLD', created_at: START - 1 })])
  expect(await ask()).toEqual([[1, 5], [3, 2], [4]])
  await archive.close()
})

test('a view is read from the very text that it is named by', () => {
  fc.assert(
    fc.property(queries, (query) => {
      const text = toWatchedText(query)
      const asked = parseParameters(watchingQuery, new URLSearchParams([['view', text]]))
      const [read] = asked.ok ? asked.value.view : []
      expect(read && toWatchedText(read)).toBe(text)
    }),
  )
})

test('a view that cannot be read, one that is no filter, and too many are refused by name', () => {
  const ask = (...views: string[]) =>
    parseParameters(watchingQuery, new URLSearchParams(views.map((view) => ['view', view])))
  const refused = (message: string) => ({ ok: false, issues: [{ parameter: 'view', message }] })
  expect(ask('rating=x')).toEqual(refused('contains rating, which is not a whole number'))
  expect(ask('page=2')).toEqual(refused('contains page, which is not a parameter here'))
  const many = Array.from({ length: 51 }, (_, index) => `user=${index}`)
  expect(ask(...many)).toEqual(refused('is given more than 50 times'))
  expect(ask('symbol=AAPL,MSFT', 'symbol=MSFT,AAPL')).toMatchObject({
    ok: true,
    value: { view: [{}] },
  })
})

test('nothing can be taken out of what is watched', () => {
  const asked = parseParameters(watchingQuery, new URLSearchParams('symbol=-AAPL&user=-1'))
  expect(asked).toEqual({
    ok: false,
    issues: [
      { parameter: 'symbol', message: 'cannot exclude a symbol here' },
      { parameter: 'user', message: 'cannot exclude a user here' },
    ],
  })
})
