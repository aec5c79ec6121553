import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LISTS } from '#lib/contract/lists/lists.ts'
import { rankedUsersQuery, userList, usersQuery } from '#lib/contract/lists/users.ts'
import { readLeniently, toParams } from '#lib/contract/query-schema.ts'
import { RATINGS_PAGE, readRatingsView } from '#lib/contract/ratings-view.ts'
import { valuesOf } from '#testing/contract/query-values.ts'
import type { AnySchema } from '#testing/contract/schemas.ts'
import {
  findViewPage,
  isOfRatings,
  toCanonicalAddress,
  toViewAddress,
  toViewHref,
  toViewWords,
} from './view-pages.ts'

const read = (text: string) => readRatingsView(new URLSearchParams(text)).query

test('a view keeps filters, order, page size and columns, and not where one was in it', () => {
  const address = 'symbol=AAPL&sort=id&per_page=25&columns=id,symbol'
  const text = toViewAddress(RATINGS_PAGE, read(`${address}&page=7&open=12`))
  expect(new URLSearchParams(text).toString()).toBe(new URLSearchParams(address).toString())
})

test('addresses that show the same are the same, whatever of them cannot be read', () => {
  expect(toCanonicalAddress('rating=5,4&symbol=aapl&gone=1')).toBe('symbol=AAPL&rating=4,5')
})

test('a view saved with a display zone opens without it', () => {
  expect(toViewHref('symbol=AAPL&tz=Europe/Berlin')).toBe('/?symbol=AAPL')
  expect(toViewHref('/lookups?tz=Asia/Tokyo')).toBe('/lookups')
  expect(toCanonicalAddress('symbol=AAPL&tz=Europe/Berlin')).toBe('symbol=AAPL')
})

test('a view is opened by the address it was kept with, so that the page can say what it ignores', () => {
  expect(toViewHref('symbol=AAPL&gone=1')).toBe('/?symbol=AAPL&gone=1')
  expect(toViewHref('')).toBe('/')
})

test('a view that was kept at no instant is opened where the reader stands, any other where it was kept', () => {
  expect(toViewHref('symbol=AAPL', 86_399)).toBe('/?symbol=AAPL&asof=1970-01-01')
  expect(toViewHref('asof=2024-01-01', 86_400)).toBe('/?asof=2024-01-01')
})

test('a view says its filters in words, and of which list they are', () => {
  expect(toViewWords('symbol=AAPL,MSFT&rating=5&sort=id')).toBe('AAPL or MSFT · Strong Buy')
  expect(toViewWords('')).toBe('Every rating')
  expect(
    toViewWords('/lookups?source=slack,-discord&from=2020-12-31T15:00:00Z', 'Asia/Tokyo'),
  ).toBe('Look-ups · source slack · not source discord · looked up since 2021-01-01')
  expect(toViewWords('/status/quarantine')).toBe('Rows set aside · Every row')
})

const toPage = (path: string, query: AnySchema) => ({
  path,
  query: path === userList.page.path ? rankedUsersQuery : query,
})

const PAGES: readonly { path: string; query: AnySchema }[] = LISTS.flatMap(({ page, query }) =>
  page ? [toPage(page.path, query)] : [],
)

test.each(PAGES)('a view of $path opens at its own address', ({ path, query }) => {
  const page = findViewPage(path)
  fc.assert(
    fc.property(valuesOf(query), (values) => {
      const address = toViewAddress(page, values)
      expect(findViewPage(address)).toBe(page)
      expect(toCanonicalAddress(address)).toBe(address)
      const href = new URL(toViewHref(address), 'http://a')
      expect(href.pathname).toBe(path)
      const expected = toParams(query, { ...values, page: 1 })
      expect(href.searchParams.toString()).toBe(expected.toString())
    }),
  )
})

test('the order of users, which depends on prices, is in the address of their views', () => {
  const byRatings = readLeniently(usersQuery, new URLSearchParams()).query
  const address = toViewAddress(findViewPage('/users'), byRatings)
  expect(toViewHref(address)).toBe('/users?sort=-ratings')
})

test('an instant is added only where a page takes one', () => {
  expect(toViewHref('/lookups?source=slack', 86_399)).toBe('/lookups?source=slack&asof=1970-01-01')
  expect(toViewHref('/status/quarantine?reason=x', 86_399)).toBe('/status/quarantine?reason=x')
})

test('a view of an unknown page, as a file may hold, never leads away from this dashboard', () => {
  for (const address of [
    '//example.com',
    '/lookups/../x',
    'https://example.com',
    '/lookupsx?a=1',
  ]) {
    expect(isOfRatings(address)).toBe(true)
    expect(toViewHref(address)).toMatch(/^\/\?/)
  }
})
