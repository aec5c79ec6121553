import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SavedView, Watched } from '#components/store/stored-state.ts'
import { type Stars, withStar } from './stars.ts'
import { addFromFile, readViewsText, toFileText } from './views-file.ts'

const view = (id: string, address = `symbol=${id}`): SavedView => ({
  id,
  name: id.toUpperCase(),
  address,
})

const toText = (views: unknown, rest = {}) =>
  JSON.stringify({ format: 'bellwether.views', version: 1, views, ...rest })

test('garbage is refused with a reason and never throws', () => {
  for (const text of ['', 'null', '[]', '{', '{"__proto__":1}', '"x"', '['.repeat(100_000)]) {
    expect(readViewsText(text), text.slice(0, 20)).toMatchObject({ ok: false })
  }
  expect(readViewsText(' '.repeat(2_000_000))).toMatchObject({
    problem: 'The file is too long for a list of views.',
  })
  const many = Array.from({ length: 10_000 }, (_, index) => view(`v${index}`))
  expect(readViewsText(toText(many))).toMatchObject({
    problem: 'The file has 10,000 views; at most 200 can be saved.',
  })
  fc.assert(fc.property(fc.json(), (text) => !readViewsText(text).ok))
  fc.assert(fc.property(fc.array(fc.jsonValue()), (views) => readViewsText(toText(views)).ok))
})

test('an invalid view does not take the others with it', () => {
  const odd = [
    7,
    view('__proto__'),
    { ...view('c'), name: 'a\u202eb' },
    { ...view('d'), address: 5 },
  ]
  const long = view('e', 'x'.repeat(4001))
  expect(readViewsText(toText([view('a'), view('a'), long, ...odd]))).toMatchObject({
    views: [view('a')],
  })
})

const added = (text: string, views: readonly SavedView[]) => {
  const result = addFromFile(text, { views, stars: [] })
  if (!result.ok) throw new Error(result.problem)
  return result
}

test('an import adds the views that do not exist, and twice is once', () => {
  const file = toFileText([view('a'), view('b')], [])
  const once = added(file, [{ ...view('a'), id: 'mine' }])
  expect(once).toMatchObject({
    views: [{ ...view('a'), id: 'mine' }, view('b')],
    addedCount: 1,
    knownCount: 1,
  })
  expect(added(file, once.views)).toMatchObject({ views: once.views, addedCount: 0, knownCount: 2 })
})

test('an import never changes an existing view: a taken name gets a number', () => {
  const file = toFileText([view('a', 'rating=5')], [])
  const [mine, theirs] = added(file, [view('a')]).views
  expect(mine).toEqual(view('a'))
  expect(theirs).toMatchObject({ name: 'A 2', address: 'rating=5' })
  expect(theirs?.id).not.toBe('a')
})

test('an import that does not fit adds nothing', () => {
  const full = Array.from({ length: 200 }, (_, index) => view(`v${index}`))
  expect(addFromFile(toFileText([view('a')], []), { views: full, stars: [] })).toMatchObject({
    ok: false,
  })
  expect(addFromFile(toFileText([], []), { views: [], stars: [] })).toMatchObject({ ok: false })
})

test('a file has stars, which follow a view to its id in this browser', () => {
  const watched: Watched[] = [
    { kind: 'symbol', key: 'AAPL', name: '' },
    { kind: 'view', key: 'a', name: 'A' },
  ]
  const file = toFileText([view('a')], watched.reduce<Stars>(withStar, []))
  expect(JSON.parse(file).watched).toEqual({ symbols: ['AAPL'], users: [], views: ['a'] })
  expect(added(file, []).stars).toMatchObject(watched)
  expect(added(file, [{ ...view('a'), id: 'mine' }]).stars[1]).toMatchObject({ key: 'mine' })
})

test('a key is of the form that symbols, users and views are compared in', () => {
  const watched = {
    symbols: ['AAPL', 'BRK B', 'aapl'],
    users: ['-3', '03', 12],
    views: ['__proto__'],
  }
  const { stars } = added(toText([view('a')], { watched }), [])
  expect(stars.map(({ key }) => key)).toEqual(['AAPL', 'BRK B', '-3', '12'])
})
