import { expect, test } from 'vitest'
import { readRatingsView } from '#lib/contract/ratings-view.ts'
import {
  findByName,
  readName,
  toCanonicalAddress,
  toFreeName,
  toViewAddress,
  toViewHref,
  withView,
} from './saved-view.ts'
import { toViewWords } from './use-views.ts'

const read = (text: string) => readRatingsView(new URLSearchParams(text)).query

test('a view keeps filters, order, page size, zone and columns, and not where one was in it', () => {
  const address = 'symbol=AAPL&sort=id&per_page=25&tz=Europe/Berlin&columns=id,symbol'
  const text = toViewAddress(read(`${address}&page=7&open=12`))
  expect(new URLSearchParams(text).toString()).toBe(new URLSearchParams(address).toString())
})

test('columns that the reader chose beside the address are kept with the view', () => {
  expect(toViewAddress(read('symbol=AAPL'), ['id', 'symbol'])).toBe('symbol=AAPL&columns=id,symbol')
  expect(toViewAddress(read('columns=user'), ['id', 'symbol'])).toBe('columns=user')
})

test('addresses that show the same are the same, whatever of them cannot be read', () => {
  expect(toCanonicalAddress('rating=5,4&symbol=aapl&gone=1')).toBe('symbol=AAPL&rating=4,5')
})

test('a view is opened by the address it was kept with, so that the page can say what it ignores', () => {
  expect(toViewHref('symbol=AAPL&gone=1')).toBe('/?symbol=AAPL&gone=1')
  expect(toViewHref('')).toBe('/')
})

test('a view that was kept at no instant is opened where the reader stands, any other where it was kept', () => {
  expect(toViewHref('symbol=AAPL', 86_399)).toBe('/?symbol=AAPL&asof=1970-01-01')
  expect(toViewHref('asof=2024-01-01', 86_400)).toBe('/?asof=2024-01-01')
})

test('a view says its filters in words', () => {
  const toWords = (address: string) => toViewWords({ id: 'a', name: 'A', address })
  expect(toWords('symbol=AAPL,MSFT&rating=5&sort=id')).toBe('AAPL or MSFT · Strong Buy')
  expect(toWords('')).toBe('Every rating')
})

const view = (id: string, name: string) => ({ id, name, address: '' })

test('a name is trimmed and takes any writing', () => {
  expect(readName('  Käufe 買い  ')).toEqual({ ok: true, name: 'Käufe 買い' })
  expect(readName('👩‍👩‍👧 picks')).toMatchObject({ ok: true })
  expect(readName('x'.repeat(60))).toMatchObject({ ok: true })
})

test('a name that is empty, too long or not to be seen is refused with the reason', () => {
  expect(readName('   ')).toEqual({ ok: false, problem: 'A view needs a name.' })
  expect(readName('x'.repeat(61))).toMatchObject({ problem: expect.stringContaining('60') })
  for (const bad of [
    'a\u202eb',
    'a\u0000',
    'a\nb',
    '\u2066x',
    '\u200f',
    'a\u200bb',
    '\u200d',
    '\ud800',
  ]) {
    expect(readName(bad), JSON.stringify(bad)).toMatchObject({ ok: false })
  }
})

test('saving under an existing name replaces that view in its place', () => {
  const views = [view('a', 'Buys'), view('b', 'Sells')]
  expect(findByName(views, 'BUYS')?.id).toBe('a')
  expect(withView(views, { id: 'c', name: 'buys', address: 'rating=5' })).toEqual([
    { id: 'a', name: 'buys', address: 'rating=5' },
    view('b', 'Sells'),
  ])
})

test('a number after a long name does not make it too long', () => {
  const long = 'x'.repeat(60)
  const free = toFreeName([view('a', long)], long)
  expect(free).toBe(`${'x'.repeat(58)} 2`)
  expect(readName(free).ok).toBe(true)
})
