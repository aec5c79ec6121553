import { expect, it } from 'vitest'
import { toParams, toQueryText } from '#lib/contract/query-schema.ts'
import { ratingsView, readRatingsView } from '#lib/contract/ratings-view.ts'
import { aRow } from '#testing/components/rating-row.ts'
import type { ColumnId } from './columns.ts'
import { toFilterActions } from './filter-actions.ts'

const viewOf = (address: string) => readRatingsView(new URLSearchParams(address)).query

type Row = Parameters<typeof aRow>[0] & { zone?: string }

function offered(column: ColumnId, address = '', { zone = 'UTC', ...changes }: Row = {}) {
  const view = viewOf(address)
  const reading = { zone }
  const actions = toFilterActions(column, { row: aRow(changes), view, reading })
  return Object.fromEntries(
    actions.map(({ label, to }) => [
      label,
      decodeURIComponent(toQueryText(toParams(ratingsView, to(view)))),
    ]),
  )
}

it('every column offers its value alone, and everything but it', () => {
  expect(offered('symbol')).toEqual({ 'Only AAPL': '?symbol=AAPL', 'Not AAPL': '?symbol=-AAPL' })
  expect(offered('user_id')).toEqual({ 'Only user 12': '?user=12', 'Not user 12': '?user=-12' })
  expect(offered('id')).toEqual({ 'Only rating 7': '?id=7', 'Not rating 7': '?id=-7' })
  expect(offered('rating')).toMatchObject({ 'Only Strong Buy': '?rating=5' })
  expect(offered('action')).toMatchObject({ 'Not Upgraded': '?action=-2' })
  expect(offered('tally_agree')).toMatchObject({ 'Only 1,600 agree': '?agree=1600' })
  expect(offered('tally_disagree')).toMatchObject({ 'Only 3 disagree': '?disagree=3' })
  expect(offered('tally_comment')).toMatchObject({ 'Only 0 comments': '?comments=0' })
})

it('a choice starts again at the first page and keeps every other filter', () => {
  expect(offered('symbol', 'rating=5&page=9&sort=id')['Only AAPL']).toBe(
    '?symbol=AAPL&rating=5&sort=id',
  )
})

it('a value that is all that is left is not offered again, and can be given up', () => {
  expect(offered('symbol', 'symbol=AAPL')).toEqual({
    'Not AAPL': '?symbol=-AAPL',
    'Any symbol': '',
  })
})

it('taking out one of several that are left leaves the others', () => {
  expect(offered('symbol', 'symbol=AAPL,MSFT')['Not AAPL']).toBe('?symbol=MSFT')
  expect(offered('symbol', 'symbol=AAPL,MSFT')['Only AAPL']).toBe('?symbol=AAPL')
})

it('taking out what is out already keeps it out, and choosing it brings it back', () => {
  expect(offered('symbol', 'symbol=-AAPL')['Not AAPL']).toBe('?symbol=-AAPL')
  expect(offered('symbol', 'symbol=-AAPL,-TSLA')['Only AAPL']).toBe('?symbol=AAPL')
  expect(offered('symbol', 'symbol=-TSLA')['Not AAPL']).toBe('?symbol=-AAPL,-TSLA')
})

it('a symbol counts in any case, and one that no address can name is not offered', () => {
  expect(offered('symbol', '', { symbol: 'aapl' })['Only aapl']).toBe('?symbol=AAPL')
  expect(offered('symbol', '', { symbol: 'A\u202eB' })['Only A\\u202eB']).toBe('?symbol=A\u202eB')
  expect(offered('symbol', '', { symbol: 'A\u0000B' })).toEqual({})
})

it('codes and symbols that look like an exclusion are quoted', () => {
  expect(offered('rating', '', { rating: -1, rating_label: 'Below' })).toEqual({
    'Only Below': '?rating="-1"',
    'Not Below': '?rating=-"-1"',
  })
  expect(offered('symbol', '', { symbol: 'A,B' })['Not A,B']).toBe('?symbol=-"A,B"')
})

it('a prediction is offered exactly and as a bound, and is the same however it was written', () => {
  expect(offered('prediction')).toEqual({
    'Only +12.50%': '?prediction=12.50',
    'Not +12.50%': '?prediction=-12.50',
    '+12.50% or more': '?prediction_min=12.50',
    '+12.50% or less': '?prediction_max=12.50',
  })
  expect(Object.keys(offered('prediction', 'prediction=12.5'))).not.toContain('Only +12.50%')
  expect(offered('prediction', 'prediction=12.5,3')['Not +12.50%']).toBe('?prediction=3')
})

it('a bound that would leave nothing gives way to the one chosen', () => {
  expect(offered('prediction', 'prediction_max=5')['+12.50% or more']).toBe('?prediction_min=12.50')
  expect(offered('prediction', 'prediction_below=12.5')['+12.50% or more']).toBe(
    '?prediction_min=12.50',
  )
  expect(offered('prediction', 'prediction_min=13')['+12.50% or less']).toBe(
    '?prediction_max=12.50',
  )
  expect(offered('prediction', 'prediction_max=12.5')['+12.50% or more']).toBe(
    '?prediction_min=12.50&prediction_max=12.5',
  )
  expect(offered('prediction', 'prediction_min=1')['Only +12.50%']).toBe('?prediction=12.50')
  expect(offered('prediction', 'prediction_min=1')['Any prediction']).toBe('')
})

it('an instant is offered by its day and its month, in place of any span', () => {
  expect(offered('created_at', 'from=2020-01-01')).toEqual({
    'Only 2024-05-13': '?created=2024-05-13',
    'Only 2024-05': '?created=2024-05',
    'Not 2024-05-13': '?created=-2024-05-13&from=2020-01-01',
    'Any time': '',
  })
  expect(offered('created_at', 'created=2024')['Not 2024-05-13']).toBe('?created=2024,-2024-05-13')
})

it('in another zone the day is that zone’s, and a day of UTC is called one', () => {
  const late = { created_at: Date.UTC(2024, 4, 13, 23, 30) / 1000, zone: 'Europe/Berlin' }
  const actions = offered('created_at', '', late)
  expect(actions['Only 2024-05-14']).toBe('?from=2024-05-13T22:00:00Z&to=2024-05-14T22:00:00Z')
  expect(actions['Only 2024-05']).toBe('?from=2024-04-30T22:00:00Z&to=2024-05-31T22:00:00Z')
  expect(actions['Not 2024-05-13 UTC']).toBe('?created=-2024-05-13')
  const there = 'from=2024-05-13T22:00:00Z&to=2024-05-14T22:00:00Z'
  expect(Object.keys(offered('created_at', there, late))).not.toContain('Only 2024-05-14')
})

it('a rating that nothing ends is offered as such, an expiry of 0 too', () => {
  for (const expired_at of [null, 0]) {
    expect(offered('expired_at', '', { expired_at })).toEqual({
      'Only no expiry': '?expires=never',
      'Not no expiry': '?expires=-never',
    })
  }
  expect(offered('expired_at')).toMatchObject({
    'Only 2024-08-11': '?expires=2024-08-11',
    'Only 2024-08': '?expires=2024-08',
    'Not 2024-08-11': '?expires=-2024-08-11',
  })
})
