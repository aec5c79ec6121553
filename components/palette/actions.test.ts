import { describe, expect, it } from 'vitest'
import { toHref } from '#components/address/ratings-address.ts'
import { NO_STARS, type Stars, withStar } from '#components/watch/stars.ts'
import { watchedSymbol } from '#components/watch/watched.ts'
import { EVERY_VIEW } from '#lib/contract/ratings-view.ts'
import { type PageContext, readAsked, selectDoSection } from './actions.ts'
import { parseFilterText } from './filter-text/parse-filter-text.ts'
import { selectPageRows } from './places.ts'

const asof = null
const ratings: PageContext = {
  has: (it) => it !== 'chart',
  exports: 'ratings',
  ratingsHref: '/?rating=5',
  toRewoundHref: null,
  subject: null,
}
const symbol: PageContext = {
  has: (it) => it === 'chart',
  exports: null,
  ratingsHref: '/?symbol=AAPL',
  toRewoundHref: null,
  subject: watchedSymbol('AAPL'),
}
const reader = { signsIn: false, mayManage: true }
const status: PageContext = {
  has: () => false,
  exports: null,
  ratingsHref: '/',
  toRewoundHref: null,
  subject: null,
}

function rowsOf(text: string, here: PageContext, stars: Stars | null = null) {
  const asked = readAsked(text, parseFilterText(text))
  if (asked === null) return null
  const { rows } = selectDoSection({
    ...asked,
    here,
    stars,
    toHref: (query) => toHref({ ...EVERY_VIEW, ...query }),
    toPhrase: (query) => query.symbol.only.join(', '),
    toLeagueHref: (league) => `/${league}`,
    mayManage: true,
    pages: asked.words.flatMap((word) => selectPageRows(word, { asof, reader })),
  })
  return rows.map(({ label, action }) => [label, 'href' in action ? action.href : undefined])
}

describe('what somebody wants done', () => {
  it.each(['csv', 'CSV', 'export', 'excel', 'export these ratings', 'download as csv'])(
    '“%s” opens the export of what the page shows, and leads to the dumps',
    (text) => {
      const [first, ...others] = rowsOf(text, ratings) ?? []
      expect(first).toEqual(['Export these ratings', undefined])
      expect(others).toContainEqual(['Downloads', '/downloads'])
    },
  )

  it('“feed” opens the export, which has the feeds, and “alert” the rules, on every page', () => {
    for (const here of [ratings, symbol, status]) {
      const href = here === ratings ? undefined : here.ratingsHref
      expect(rowsOf('feed', here)?.[0]).toEqual(['Follow new ratings in a feed reader', href])
      expect(rowsOf('alert', here)?.[0]).toEqual(['New alert', '/status/alerts'])
    }
    expect(rowsOf('aapl feed', status)?.[0]).toEqual([
      'Follow new ratings in a feed reader: AAPL',
      '/?symbol=AAPL',
    ])
    expect(rowsOf('aapl alert', status)?.[0]).toEqual([
      'New alert: AAPL',
      '/status/alerts?name=AAPL&query=symbol%3DAAPL',
    ])
  })

  it.each(['dump', 'dumps', 'downloads'])('“%s” leads to the dumps first', (text) => {
    expect(rowsOf(text, status)?.slice(0, 2)).toEqual([
      ['Downloads', '/downloads'],
      ['Export ratings', '/'],
    ])
  })

  it('is exported with the filter that stands beside it, or what the page is about', () => {
    expect(rowsOf('aapl csv', ratings)?.[0]).toEqual(['Export ratings: AAPL', '/?symbol=AAPL'])
    expect(rowsOf('csv', symbol)?.[0]).toEqual(['Export ratings', '/?symbol=AAPL'])
    expect(rowsOf('export users', ratings)?.[0]).toEqual(['Export users', '/users'])
    expect(rowsOf('csv', { ...ratings, exports: 'users' })?.slice(0, 2)).toEqual([
      ['Export these users', undefined],
      ['Export ratings', '/?rating=5'],
    ])
  })

  it('is saved, shared and embedded by what the page has for it', () => {
    expect(rowsOf('save view', ratings)).toEqual([['Save or share this view', undefined]])
    expect(rowsOf('share', symbol)).toEqual([
      ['Save or embed the chart', undefined],
      ['Save or share a view of ratings', '/?symbol=AAPL'],
      ['Copy the link to this page', undefined],
      ['Embedding', '/docs/charts#embedding'],
    ])
    expect(rowsOf('embed', symbol)?.[0]).toEqual(['Save or embed the chart', undefined])
    expect(rowsOf('embed', status)).toEqual([['Embedding', '/docs/charts#embedding']])
  })

  it('is nothing where a filter is all that is said', () => {
    for (const text of ['aapl', 'symbol:CSV', '-csv', '"csv"', 'rating:nope csv']) {
      expect(rowsOf(text, ratings), text).toBe(null)
    }
  })

  it('a star is given to what is named, or to what the page is about, and taken away where there is one', () => {
    const labels = (text: string, here: PageContext, stars?: Stars) =>
      (rowsOf(text, here, stars) ?? []).map(([label]) => label)
    expect(labels('watch msft', ratings)).toContain('Watch MSFT')
    expect(labels('watch user 12', ratings)).toContain('Watch user 12')
    expect(labels('watch', symbol)).toContain('Watch AAPL')
    expect(labels('watch', ratings)).toEqual(['Watching'])
    const stars = withStar(NO_STARS, watchedSymbol('AAPL'))
    expect(labels('unwatch', symbol, stars)).toContain('Stop watching AAPL')
    expect(labels('watch aapl or msft', ratings)).not.toContain('Watch AAPL')
  })
})
