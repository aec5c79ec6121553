import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { readSeriesView, toMovesSpan } from '#components/symbols/series-view.ts'
import { userPageQuery } from '#components/users/user-view.ts'
import { changesQuery } from '#lib/contract/api-queries.ts'
import { symbolsQuery } from '#lib/contract/lists/symbols.ts'
import { readLeniently } from '#lib/contract/query-schema.ts'
import { readRatingsView } from '#lib/contract/ratings-view.ts'
import { only } from '#lib/contract/value-list.ts'
import { TOOLS } from '#lib/mcp/create-mcp.ts'
import { draws } from '#testing/draws.ts'
import { listDifferences } from '#testing/mcp/assistant.ts'
import { openFilled } from '#testing/mcp/open-filled.ts'

const { api, assistant, close } = await openFilled()
afterAll(close)

describe('the answer of a tool equals the answer of the API', () => {
  const symbol = fc.constantFrom('AAPL', 'msft', 'TSLA', 'NVDA', 'PFE')
  const asof = fc.constantFrom(undefined, '2019', '2024-03', '2026-06-30')
  const span = fc.constantFrom<{ from?: string; to?: string }>(
    {},
    { from: '2020-02-03', to: '2024-11-05' },
    { from: '2023' },
  )
  const bucket = fc.constantFrom('week', 'month')
  const toText = (values: Record<string, unknown>) =>
    String(new URLSearchParams(JSON.parse(JSON.stringify(values))))

  type Drawn = {
    tool: string
    args: Record<string, unknown>
    paths: Record<string, string>
    compare: (data: never, known: never) => string[]
  }

  const cases: Record<string, fc.Arbitrary<Drawn>> = {
    search_ratings: fc
      .record({
        rating: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 3 }),
        symbol: fc.uniqueArray(symbol, { maxLength: 2 }),
        sort: fc.constantFrom('prediction', '-created_at', 'user_id'),
        per_page: fc.integer({ min: 1, max: 100 }),
        asof,
        span,
      })
      .map(({ rating, symbol: symbols, span: period, ...rest }) => ({
        tool: 'search_ratings',
        args: { ...rest, ...period, rating, symbol: symbols },
        paths: {
          api: `/api/ratings?${toText({ ...rest, ...period, rating: rating.join(), symbol: symbols.join() }).replace(/\b(rating|symbol)=(&|$)/g, '')}`,
        },
        compare: (data: { ratings: unknown }, known: { api: { data: unknown } }) =>
          listDifferences(data.ratings, known.api.data),
      })),
    summarize_symbol: fc.record({ symbol, asof }).map((args) => ({
      tool: 'summarize_symbol',
      args,
      paths: {
        api: `/api/symbols/${args.symbol}/opinion?${toText({ asof: args.asof })}`,
        named: `/api/symbols/${args.symbol}`,
      },
      compare: (
        { name, ...data }: { name: unknown },
        known: { api: { data: unknown }; named: { data: { name: unknown } } },
      ) => [
        ...listDifferences(data, known.api.data),
        ...listDifferences(name, known.named.data.name),
      ],
    })),
    symbol_history: fc.record({ symbol, asof, span, bucket }).map(({ span: period, ...rest }) => {
      const { symbol: named, ...query } = { ...rest, ...period }
      return {
        tool: 'symbol_history',
        args: { symbol: named, ...query },
        paths: { api: `/api/symbols/${named}/series?${toText(query)}` },
        compare: (
          { buckets, points, ...data }: { buckets: number; points: unknown[] },
          known: { api: { data: { points: unknown[] } } },
        ) => [
          ...listDifferences(buckets, known.api.data.points.length),
          ...listDifferences(points, known.api.data.points.slice(-160)),
          ...listDifferences(data, known.api.data),
        ],
      }
    }),
    why_it_moved: fc.record({ symbol, span }).map(({ symbol: named, span: period }) => ({
      tool: 'why_it_moved',
      args: { symbol: named, ...period },
      paths: { api: `/api/symbols/${named}/moves?${toText(period)}` },
      compare: (data: unknown, known: { api: { data: unknown } }) =>
        listDifferences(data, known.api.data),
    })),
    compare_symbols: fc
      .record({ symbols: fc.uniqueArray(symbol, { minLength: 1, maxLength: 3 }), span, bucket })
      .map(({ symbols, span: period, ...rest }) => {
        const query = { ...rest, ...period }
        return {
          tool: 'compare_symbols',
          args: { symbol: [...symbols, 'NOBODY'], ...query },
          paths: {
            api: `/api/compare?${toText({ symbol: [...symbols, 'NOBODY'].join(), ...query })}`,
          },
          compare: (
            data: unknown,
            known: { api: { data: { symbols: { points: unknown[] }[] } } },
          ) => {
            const shortened = known.api.data.symbols.map((one) => ({
              ...one,
              points: one.points.slice(-60),
            }))
            return listDifferences(data, { ...known.api.data, symbols: shortened })
          },
        }
      }),
    summarize_user: fc
      .record({ id: fc.integer({ min: 1, max: 5 }), horizon: fc.constantFrom('30', '365') })
      .map(({ id, horizon }) => ({
        tool: 'summarize_user',
        args: { id, horizon },
        paths: { user: `/api/users/${id}`, track: `/api/users/${id}/track?horizon=${horizon}` },
        compare: (
          data: { user: unknown; track: unknown },
          known: { user: { data: { by_symbol: unknown[] } }; track: { data: unknown } },
        ) => [
          ...listDifferences(data.user, {
            ...known.user.data,
            by_symbol: known.user.data.by_symbol.slice(0, 20),
          }),
          ...listDifferences(data.track, known.track.data),
        ],
      })),
    what_changed: fc.record({ span, asof }).map(({ span: period, asof: at }) => {
      const query = period.from === undefined ? { asof: at } : period
      return {
        tool: 'what_changed',
        args: query,
        paths: { api: `/api/changes?${toText(query)}` },
        compare: (data: unknown, known: { api: { data: unknown } }) =>
          listDifferences(data, known.api.data),
      }
    }),
    list_downloads: fc.constant({
      tool: 'list_downloads',
      args: {},
      paths: { dumps: '/api/dumps', editions: '/api/editions' },
      compare: (
        data: { posts: unknown; lookups: unknown; editions: unknown },
        known: {
          dumps: { data: { posts: unknown; lookups: unknown } }
          editions: { data: unknown }
        },
      ) => [
        ...listDifferences(data.posts, known.dumps.data.posts),
        ...listDifferences(data.lookups, known.dumps.data.lookups),
        ...listDifferences(data.editions, known.editions.data),
      ],
    }),
    describe_data: fc
      .record({ sort: fc.constantFrom('-consensus', 'symbol', '-change_30d'), asof })
      .map((query) => ({
        tool: 'describe_data',
        args: { ...query, per_page: 7 },
        paths: {
          league: `/api/symbols?${toText({ ...query, per_page: 7 })}`,
          facets: `/api/facets?${toText({ asof: query.asof })}`,
          one: `/api/ratings?${toText({ asof: query.asof, per_page: 1 })}`,
        },
        compare: (
          data: { symbols: unknown; ratings: unknown } & Record<string, unknown>,
          known: {
            league: { data: unknown }
            facets: { data: Record<string, unknown> }
            one: { page: { total: number } }
          },
        ) => [
          ...listDifferences(data.symbols, known.league.data),
          ...listDifferences(data.ratings, known.one.page.total),
          ...['distinct', 'bounds', 'rating', 'action'].flatMap((name) =>
            listDifferences(data[name], known.facets.data[name]),
          ),
        ],
      })),
  }

  test.each(TOOLS.map(({ name }) => name))('%s', async (name) => {
    const drawn = cases[name]
    if (!drawn) throw new Error(`No case for ${name}.`)
    const property = fc.asyncProperty(drawn, async ({ tool, args, paths, compare }) => {
      const answers = await Promise.all(
        Object.entries(paths).map(async ([key, path]) => {
          const response = await api.ask(path)
          return { key, status: response.status, body: await response.json() }
        }),
      )
      const failed = answers.find(({ status }) => status !== 200)
      const { told, text, isError } = await assistant.call(tool, args)
      if (failed) {
        const { message, issues = [{ message }] } = failed.body.error
        expect(isError).toBe(true)
        for (const issue of issues) expect(text).toContain(issue.message)
        return
      }
      expect(isError, text).toBe(false)
      const known = Object.fromEntries(answers.map(({ key, body }) => [key, body]))
      expect(compare(told.data as never, known as never)).toEqual([])
      const [meta] = answers.flatMap(({ body }) => ('meta' in body ? [body.meta] : []))
      if (meta) {
        const { invented: _, ...freshness } = told.freshness
        expect(listDifferences(freshness, meta)).toEqual([])
      }
    })
    await fc.assert(property, { numRuns: draws(120) })
  })
})

test('a link is an address that its page reads whole, for the same period', async () => {
  const ask = async (tool: string, args: Record<string, unknown>) => {
    const { told } = await assistant.call(tool, args)
    const { pathname, searchParams } = new URL(told.link)
    return { data: told.data, pathname, params: searchParams }
  }
  const found = await ask('search_ratings', { symbol: ['AAPL', '-MSFT'], rating: 5, asof: '2024' })
  expect(found.pathname).toBe('/')
  expect(readRatingsView(found.params)).toMatchObject({
    ignored: [],
    query: { symbol: { only: ['AAPL'], not: ['MSFT'] }, rating: only(5), per_page: 20 },
  })

  const history = await ask('symbol_history', { symbol: 'AAPL' })
  expect(history.pathname).toBe('/symbols/AAPL')
  expect(readSeriesView(history.params, 'AAPL')).toMatchObject({
    ignored: [],
    view: { isWhole: true, bucket: 'month' },
  })

  const compared = await ask('compare_symbols', { symbol: ['AAPL', 'MSFT'], from: '2020' })
  expect(readSeriesView(compared.params, 'AAPL')).toMatchObject({
    ignored: [],
    view: { vs: ['MSFT'], from: Date.UTC(2020, 0) / 1000 },
  })

  for (const span of [{}, { from: '2021-02-03', to: '2024-05-06' }]) {
    const why = await ask('why_it_moved', { symbol: 'AAPL', ...span })
    const { view, ignored } = readSeriesView(why.params, 'AAPL')
    const at = api.clock.now
    const shown = toMovesSpan(view, { extent: { from: 0, to: at }, at })
    expect(ignored).toEqual([])
    expect([shown.from, shown.to ?? at]).toEqual(
      [why.data.from, why.data.to].map((text) => Date.parse(text) / 1000),
    )
  }

  const user = await ask('summarize_user', { id: 1, horizon: 365 })
  expect(user.pathname).toBe('/users/1')
  expect(readLeniently(userPageQuery, user.params)).toMatchObject({
    ignored: [],
    query: { horizon: '365' },
  })

  const week = await ask('what_changed', { from: '2025-01', to: '2025-02' })
  expect(readLeniently(changesQuery, week.params)).toMatchObject({
    ignored: [],
    query: { from: Date.UTC(2025, 0) / 1000, to: Date.UTC(2025, 1) / 1000 },
  })

  const league = await ask('describe_data', { sort: '-consensus', q: 'A' })
  expect(readLeniently(symbolsQuery, league.params)).toMatchObject({
    ignored: [],
    query: { q: 'A', sort: { column: 'consensus', direction: 'desc' }, per_page: 10 },
  })
})
