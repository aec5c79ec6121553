import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NO_VIEWS, withFirst, withoutView, withView } from './saved-view.ts'
import { readViewsText, toFileText, toStoredText } from './views-text.ts'

const document = (rest: object) =>
  JSON.stringify({ format: 'bellwether.views', version: 1, ...rest })
const aapl = { id: 'a', name: 'AAPL buys', address: 'symbol=AAPL&rating=4,5' }
const some = withFirst(withView(withView(NO_VIEWS, aapl), { ...aapl, id: 'b', name: 'B' }), 'b')

test('what was kept is read as it was, a removal too', () => {
  const kept = withoutView(some, 'a')
  expect(readViewsText(toStoredText(kept))).toEqual({
    ok: true,
    views: kept,
    leftOut: [],
    watched: [],
  })
})

test('what a newer version wrote is told from what is damaged', () => {
  expect(readViewsText(document({ version: 2, views: 'other' }))).toMatchObject({ isNewer: true })
  expect(readViewsText(document({ views: 'other' }))).toMatchObject({ ok: false, isNewer: false })
})

test('garbage is refused in words and never throws', () => {
  for (const text of ['', 'null', '[]', '{', '{"__proto__":1}', '"x"', '['.repeat(100_000)]) {
    expect(readViewsText(text), text.slice(0, 20)).toMatchObject({ ok: false })
  }
  expect(readViewsText(' '.repeat(2_000_000))).toMatchObject({
    problem: 'That is too long for a list of views.',
  })
  fc.assert(fc.property(fc.json(), (text) => !readViewsText(text).ok))
  fc.assert(fc.property(fc.array(fc.jsonValue()), (views) => readViewsText(document({ views })).ok))
})

test('one view that cannot be read does not take the others with it', () => {
  const views = [
    aapl,
    aapl,
    7,
    { ...aapl, id: '__proto__' },
    { ...aapl, id: 'c', name: 'a\u202eb' },
    { ...aapl, id: 'd', name: 'Long', address: 'x'.repeat(4001) },
    { ...aapl, id: 'e', address: 5 },
  ]
  const read = readViewsText(document({ views }))
  expect(read.ok && read.views.views.map(({ id }) => id)).toEqual(['a'])
  expect(read.ok && read.leftOut).toEqual([
    { name: 'AAPL buys', problem: 'It is there twice.' },
    { name: 'A view whose name cannot be shown', problem: 'It is damaged.' },
    { name: 'AAPL buys', problem: 'It is damaged.' },
    {
      name: 'A view whose name cannot be shown',
      problem: 'This name holds an invisible character.',
    },
    { name: 'Long', problem: 'It is damaged.' },
    { name: 'AAPL buys', problem: 'It is damaged.' },
  ])
})

test('names of properties in what is read reach no prototype', () => {
  const text = `{"format":"bellwether.views","version":1,"__proto__":{"polluted":1},"views":[{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"id":"a","name":"A","address":""}]}`
  expect(readViewsText(text)).toMatchObject({ ok: true })
  expect('polluted' in {}).toBe(false)
})

test('a file says what it is, and holds nothing of how the browser keeps it', () => {
  expect(JSON.parse(toFileText(some))).toEqual({
    format: 'bellwether.views',
    version: 1,
    default: 'b',
    views: [aapl, { ...aapl, id: 'b', name: 'B' }],
  })
})
