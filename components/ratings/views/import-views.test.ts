import { expect, test } from 'vitest'
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
  const text = JSON.stringify({ format: 'bellwether.views', version: 2, views: many })
  expect(planImport(text, holding(view('a', 'A')))).toEqual({
    ok: false,
    problem: 'It holds 10,000 views; there is room for 200 in all.',
  })
  expect(planImport(toFileText(NO_VIEWS), NO_VIEWS)).toMatchObject({ ok: false })
  expect(planImport('<h1>no</h1>', NO_VIEWS)).toMatchObject({ ok: false })
})
