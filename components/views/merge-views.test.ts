import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeViews } from './merge-views.ts'
import {
  NO_VIEWS,
  type SavedViews,
  selectFirst,
  withFirst,
  withoutView,
  withPlace,
  withView,
} from './saved-view.ts'

const ids = ['a', 'b', 'c', 'd']
const id = fc.constantFrom(...ids)

type Change = (all: SavedViews) => SavedViews

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ id, name: fc.constantFrom('x', 'y', 'z') }).map(
    ({ id, name }): Change =>
      (all) =>
        withView(all, { id, name, address: `symbol=${name}` }),
  ),
  id.map(
    (gone): Change =>
      (all) =>
        withoutView(all, gone),
  ),
  fc.tuple(id, fc.nat(4)).map(
    ([moved, place]): Change =>
      (all) =>
        withPlace(all, moved, place),
  ),
  fc.option(id).map(
    (first): Change =>
      (all) =>
        withFirst(all, first),
  ),
)
const apply = (all: SavedViews, changes: Change[]) => changes.reduce((so, to) => to(so), all)
const history = fc.array(change, { maxLength: 8 })

test('two tabs that hear of each other hold the same, whoever was first', () => {
  fc.assert(
    fc.property(history, history, history, (common, ones, others) => {
      const base = apply(NO_VIEWS, common)
      const one = apply(base, ones)
      const other = apply(base, others)
      const merged = mergeViews(one, other)
      expect(mergeViews(other, one)).toEqual(merged)
      expect(mergeViews(merged, one)).toEqual(merged)
      expect(mergeViews(merged, merged)).toEqual(merged)
    }),
    { numRuns: 2000 },
  )
})

test('a view that one tab saved is never erased by what another tab wrote', () => {
  fc.assert(
    fc.property(history, history, (common, others) => {
      const base = apply(NO_VIEWS, common)
      const mine = withView(base, { id: 'mine', name: 'Mine', address: 'symbol=AAPL' })
      const merged = mergeViews(apply(base, others), mine)
      expect(merged.views.map(({ id }) => id)).toContain('mine')
    }),
  )
})

test('what one tab removed does not come back from another that did not touch it', () => {
  const base = withView(NO_VIEWS, { id: 'a', name: 'A', address: '' })
  const removed = withoutView(base, 'a')
  expect(mergeViews(base, removed).views).toEqual([])
  const changed = withView(base, { id: 'a', name: 'B', address: '' })
  expect(mergeViews(withView(changed, { id: 'a', name: 'C', address: '' }), removed).views).toEqual(
    [expect.objectContaining({ name: 'C' })],
  )
})

test('a view that is brought back is what it was, the first one too', () => {
  const [a, b] = [
    { id: 'a', name: 'A', address: 'symbol=A' },
    { id: 'b', name: 'B', address: 'symbol=B' },
  ]
  const all = withFirst(withView(withView(NO_VIEWS, a), b), 'a')
  const without = withoutView(all, 'a')
  expect(selectFirst(without)).toBe(null)
  const back = withPlace(withView(without, a), 'a', 0)
  expect(back.views).toMatchObject([a, b])
  expect(selectFirst(back)).toMatchObject(a)
})

test('a place beyond the ends is the nearest one', () => {
  const all = ids.reduce((so, one) => withView(so, { id: one, name: one, address: '' }), NO_VIEWS)
  const order = (views: SavedViews) => views.views.map(({ id }) => id).join('')
  expect(order(withPlace(all, 'b', 99))).toBe('acdb')
  expect(order(withPlace(all, 'c', -1))).toBe('cabd')
  expect(withPlace(all, 'nobody', 1)).toBe(all)
})
