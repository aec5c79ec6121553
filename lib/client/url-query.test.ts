import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime.js'
import { withNuqsTestingAdapter } from 'nuqs/adapters/testing'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EVERY_RATING, ratingsQuery } from '#lib/contract/ratings-query.ts'
import { only } from '#lib/contract/value-list.ts'
import { useUrlQuery } from './url-query.ts'

const drawn: ReturnType<typeof useUrlQuery<typeof ratingsQuery.parameters>>[] = []

function Page() {
  drawn.push(useUrlQuery(ratingsQuery))
  return null
}

function open(text: string) {
  const written: string[] = []
  const within = withNuqsTestingAdapter({
    searchParams: text,
    onUrlUpdate: ({ queryString, options }) => written.push(`${options.history} ${queryString}`),
  })
  const value = new URLSearchParams(text)
  renderToString(
    createElement(
      SearchParamsContext.Provider,
      { value },
      within({ children: createElement(Page) }),
    ),
  )
  const [held] = drawn.splice(0)
  if (held === undefined) throw new Error('nothing was drawn')
  return { ...held, written }
}

test('reads what the API reads and names the rest when parts are invalid', () => {
  const { query, ignored, params } = open(
    'page=two&symbol=aapl&symbol=A&colour=red&state=&__proto__=1',
  )
  expect(query).toEqual({ ...EVERY_RATING, symbol: only('AAPL', 'A') })
  expect(ignored.map(({ parameter }) => parameter)).toEqual([
    'state',
    'page',
    'colour',
    '__proto__',
  ])
  expect(params.get('page')).toBe('two')
})

test('writes the order of the schema when the address had another', async () => {
  const { setQuery, written } = open('page=2&symbol=A,B&user=1')
  setQuery(({ page }) => ({ rating: only(5), page: page + 1 }))
  await expect.poll(() => written).toEqual(['push ?symbol=A,B&user=1&rating=5&page=3'])
})

test('writes nothing when nothing changes', async () => {
  const { setQuery, written } = open('user=1&symbol=A')
  setQuery((last) => last)
  setQuery({ user: only(1) })
  setQuery({ user: only(2) }, 'replace')
  await expect.poll(() => written).toEqual(['replace ?symbol=A&user=2'])
})
