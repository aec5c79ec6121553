import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { toUserTexts } from '#components/users/user-texts.ts'
import type { Opinion, Series } from '#lib/contract/answers/opinion.ts'
import type { User } from '#lib/contract/answers/users.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { dayAt, pointOn } from '#testing/components/chart-points.ts'
import { HOSTILE_TEXTS } from '#testing/hostile-texts.ts'
import { drawSymbolPreview, drawUserPreview, PALETTE } from './preview.tsx'

const OPINION: Opinion = {
  symbol: 'AAPL',
  ratings: 300,
  users: 60,
  active: 41,
  consensus: '3.9024',
  avg_prediction: '9.5049',
  prediction_low: null,
  prediction_q1: null,
  prediction_median: null,
  prediction_q3: null,
  prediction_high: null,
  dispersion: null,
  by_rating: [1, 2, 3, 4, 5].map((value) => ({ value, label: '', count: value === 4 ? 33 : 2 })),
  changes: [],
  cliff: [],
  pending: [],
} as unknown as Opinion

const SERIES: Series = {
  symbol: 'AAPL',
  bucket: 'week',
  posted: 9,
  ratings: [],
  points: [pointOn('2026-01-05'), pointOn('2026-01-12', { consensus: '4.2000' })],
} as unknown as Series

const symbolSvg = (changes: Partial<Opinion> = {}, isInvented = false) =>
  drawSymbolPreview({ opinion: { ...OPINION, ...changes }, series: SERIES, isInvented })

it('the colours of a card are those of the pages in the light', () => {
  const css = readFileSync('app/globals.css', 'utf8')
  const light = css.slice(css.indexOf(':root {'), css.indexOf('--rating-text-5'))
  for (const [name, colour] of Object.entries(PALETTE)) {
    if (name !== 'rating-text-5') expect(light).toContain(`--${name}: ${colour};`)
  }
})

it('a symbol’s picture says its verdict and draws its consensus, in what a rasteriser knows', () => {
  const svg = symbolSvg()
  expect(svg).toContain('>Moderate Buy, 3.90 of 5 over 41 active ratings.<')
  expect(svg).toContain('Opinions agree: 35 of 41 say buy.')
  expect(svg).toMatch(/<path[^>]*data-mark="consensus"[^>]*d="m/)
  expect(svg).toContain('>Strong Buy<')
  expect(svg).not.toMatch(/var\(|NaN|undefined|currentColor/)
})

it('demo data are called invented on the picture, and others are not', () => {
  expect(symbolSvg({}, true)).toContain('demo data, invented')
  expect(symbolSvg({}, false)).not.toContain('invented')
})

it('a name from outside is text, shortened and with nothing invisible', () => {
  const svg = symbolSvg({ symbol: `<b>&\u202e${'X'.repeat(60)}` })
  expect(svg).toContain('&lt;b&gt;&amp;\\u202e')
  expect(svg).toContain('X…<')
  expect(svg).not.toContain('<b>')
})

it('a symbol is called on its picture as it is, whatever that is', () => {
  for (const text of HOSTILE_TEXTS) {
    const svg = symbolSvg({ symbol: text })
    const [, title = ''] = /<title>(.*?)<\/title>/s.exec(svg) ?? []
    const shown = toVisibleText(text)
    const short = [...shown].length > 48 ? `${[...shown].slice(0, 47).join('')}…` : shown
    expect(fromMarkup(title)).toBe(short)
    expect(title).not.toMatch(/[<>]|&(?!(?:amp|lt|gt|quot|#x27);)/)
  }
})

const fromMarkup = (markup: string) =>
  ['&lt;<', '&gt;>', '&quot;"', "&#x27;'", '&amp;&'].reduce(
    (text, pair) => text.replaceAll(pair.slice(0, -1), pair.slice(-1)),
    markup,
  )

const NOW = dayAt('2026-11-01')
const USER = {
  user_id: 12,
  ratings: 1,
  symbols: 1,
  active: 0,
  first_created_at: NOW - 86_400,
  last_created_at: NOW - 86_400,
} as unknown as User

it('a user’s picture draws the ratings that count, with glyphs that the font has', () => {
  const made = {
    id: 1,
    created_at: NOW - 80_000,
    until: null,
    rating: 4,
    rating_label: 'Moderate Buy',
    action: 4,
    action_label: 'Repeated',
    prediction: '1.0',
    ended: null,
  }
  const ratings = { symbols: [{ symbol: 'AAPL', calls: [made] }], symbols_total: 1, calls_total: 1 }
  const hostile = { symbol: '\u202eLPAA', calls: [made] }
  const turned = { ...ratings, symbols: [hostile] }
  const picture = drawUserPreview({ user: USER, ratings: turned, at: NOW, isInvented: false })
  expect(picture).toContain('>\\u202eLPAA<')
  expect(picture).not.toContain('\u202e')
  const svg = drawUserPreview({ user: USER, ratings, at: NOW, isInvented: false })
  expect(svg).toContain('>User 12<')
  expect(svg).toContain('>AAPL<')
  expect(svg).toContain('rating-fill-4')
  expect(svg).not.toMatch(/var\(|NaN|[↻◆＋]/)
  expect(toUserTexts(USER)).toEqual([
    '1 rating on 1 symbol since 2026-10-31.',
    'None is active; the latest was posted on 2026-10-31.',
  ])
})
