import { expect, test } from 'vitest'
import { NO_STARS, withStar } from '#components/watch/stars.ts'
import type { Watched } from '#components/watch/watched.ts'
import { planImport, withImport } from './import-views.tsx'
import { NO_VIEWS, type SavedView, withFirst, withView } from './saved-view.ts'
import { toFileText } from './views-text.ts'

const view = (id: string, name: string, address = `symbol=${name}`): SavedView => ({
  id,
  name,
  address,
})
const holding = (...views: SavedView[]) => views.reduce(withView, NO_VIEWS)
const plain = (views: readonly SavedView[]) =>
  views.map(({ id, name, address }) => ({ id, name, address }))

const planned = (text: string, mine = NO_VIEWS) => {
  const result = planImport(text, mine)
  if (!result.ok) throw new Error(result.problem)
  return result.plan
}

test('a file is told apart in what is new, what is changed and what is the same', () => {
  const mine = holding(view('a', 'A'), view('b', 'B'), view('c', 'C'))
  const file = toFileText(holding(view('a', 'A'), view('b', 'Better'), view('d', 'D')))
  const plan = planned(file, mine)
  expect(plan).toMatchObject({
    same: 1,
    added: [view('d', 'D')],
    changed: [{ before: view('b', 'B'), after: view('b', 'Better') }],
  })
  const after = withImport(mine, plan)
  expect(plain(after.views)).toEqual([
    view('a', 'A'),
    view('b', 'Better'),
    view('c', 'C'),
    view('d', 'D'),
  ])
})

test('exported and imported elsewhere, views are the same, and twice is once', () => {
  const mine = withFirst(holding(view('a', 'A'), view('b', 'B')), 'b')
  const elsewhere = withImport(NO_VIEWS, planned(toFileText(mine)))
  expect(plain(elsewhere.views)).toEqual(plain(mine.views))
  expect(elsewhere.first.id).toBe('b')
  expect(planned(toFileText(mine), elsewhere)).toMatchObject({ same: 2, added: [], changed: [] })
})

test('a name that is taken here gets a number, and a default that was chosen here stays', () => {
  const mine = withFirst(holding(view('a', 'Buys', 'rating=4')), 'a')
  const file = toFileText(withFirst(holding(view('z', 'Buys', 'rating=5')), 'z'))
  const plan = planned(file, mine)
  expect(plan.added).toEqual([view('z', 'Buys 2', 'rating=5')])
  expect(plan.first).toBe(null)
})

test('10,000 views are refused as a whole, and so is a file with none', () => {
  const many = Array.from({ length: 10_000 }, (_, index) => view(`v${index}`, `V ${index}`, ''))
  const text = JSON.stringify({ format: 'bellwether.views', version: 1, views: many })
  expect(planImport(text, holding(view('a', 'A')))).toEqual({
    ok: false,
    problem: 'It holds 10,000 views; there is room for 200 in all.',
  })
  expect(planImport(toFileText(NO_VIEWS), NO_VIEWS)).toMatchObject({ ok: false })
  expect(planImport('<h1>no</h1>', NO_VIEWS)).toMatchObject({ ok: false })
})

const starred = (...things: Watched[]) => things.reduce(withStar, NO_STARS)
const AAPL: Watched = { kind: 'symbol', key: 'AAPL', name: '' }
const VIEW: Watched = { kind: 'view', key: 'a', name: 'A' }
const planWith = (text: string, mine = NO_VIEWS, stars = NO_STARS) => {
  const result = planImport(text, mine, stars)
  if (!result.ok) throw new Error(result.problem)
  return result.plan
}

test('what is watched goes along in the file, and twice is once', () => {
  const stars = starred(AAPL, { kind: 'user', key: '-3', name: '' }, VIEW)
  const file = toFileText(holding(view('a', 'A')), stars)
  expect(JSON.parse(file).watched).toEqual({ symbols: ['AAPL'], users: [-3], views: ['a'] })
  const plan = planWith(file)
  expect(plan.stars.reduce(withStar, NO_STARS)).toEqual(stars)
  expect(planWith(file, withImport(NO_VIEWS, plan), stars).stars).toEqual([])
})

test('a file of stars alone is imported, and one without stars', () => {
  expect(planWith(toFileText(NO_VIEWS, starred(AAPL))).stars).toEqual([AAPL])
  const text = JSON.stringify({ format: 'bellwether.views', version: 1, views: [view('a', 'A')] })
  expect(planWith(text)).toMatchObject({ added: [view('a', 'A')], stars: [] })
})

test('the star of a view that is here under another id is given to that one, and of one that is nowhere to none', () => {
  const file = toFileText(holding(view('z', 'A', 'rating=5')), starred({ ...VIEW, key: 'z' }))
  expect(planWith(file, holding(view('a', 'A', 'rating=5'))).stars).toEqual([VIEW])
  expect(planWith(toFileText(NO_VIEWS, starred(AAPL, VIEW))).stars).toEqual([AAPL])
})

test('stars that cannot be read are left out, and those without room are told', () => {
  const file = (watched: unknown) =>
    JSON.stringify({ format: 'bellwether.views', version: 1, views: [view('a', 'A')], watched })
  for (const odd of [7, 'x', [], { symbols: 'AAPL' }]) expect(planWith(file(odd)).stars).toEqual([])
  const symbols = ['AAPL', 'aapl', '', 5, null, 'x'.repeat(65)]
  expect(planWith(file({ symbols, users: ['x', 1.5] })).stars.map(({ key }) => key)).toEqual([
    'AAPL',
    '5',
  ])
  const full = starred(
    ...Array.from({ length: 100 }, (_, n): Watched => ({ kind: 'symbol', key: `S${n}`, name: '' })),
  )
  expect(planWith(file({ symbols: ['AAPL'] }), NO_VIEWS, full)).toMatchObject({
    stars: [],
    hasTooMany: true,
  })
})
