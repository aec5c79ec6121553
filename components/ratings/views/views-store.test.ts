import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { draws } from '#testing/draws.ts'
import {
  NO_VIEWS,
  type SavedViews,
  selectFirst,
  withFirst,
  withoutView,
  withPlace,
  withView,
} from './saved-view.ts'
import { VIEWS_KEY } from './storage-key.ts'
import { createViewsStore, mergeViews, UNREADABLE_KEY } from './views-store.ts'
import { toStoredText } from './views-text.ts'

const view = (id: string) => ({ id, name: id.toUpperCase(), address: `symbol=${id}` })

/** A storage as two tabs see it: who writes is not told, the other one is. */
function createShared(initial: Record<string, string> = {}) {
  const texts = new Map(Object.entries(initial))
  const storage = {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
  }
  return { texts, storage, open: () => createViewsStore(() => storage) }
}
const names = (store: ReturnType<typeof createViewsStore>) =>
  store.load().saved.views.map(({ name }) => name)

test('what is saved is there after the page is loaded again', () => {
  const shared = createShared()
  shared.open().change((all) => withView(all, view('a')))
  expect(names(shared.open())).toEqual(['A'])
})

test('two tabs that save at once both keep both views', () => {
  const shared = createShared()
  const [one, other] = [shared.open(), shared.open()]
  expect([names(one), names(other)]).toEqual([[], []])
  one.change((all) => withView(all, view('a')))
  other.change((all) => withView(all, view('b')))
  one.hear()
  expect(names(one)).toEqual(['A', 'B'])
  expect(names(other)).toEqual(['A', 'B'])
})

test('a tab that wrote over another without having read it gives the view back when it hears of it', () => {
  const shared = createShared()
  const one = shared.open()
  one.change((all) => withView(all, view('a')))
  shared.texts.set(VIEWS_KEY, toStoredText(withView(NO_VIEWS, view('b'))))
  one.hear()
  expect(names(one).sort()).toEqual(['A', 'B'])
  expect(names(shared.open()).sort()).toEqual(['A', 'B'])
})

test('a view removed in one tab is gone in the other', () => {
  const shared = createShared()
  const [one, other] = [shared.open(), shared.open()]
  one.change((all) => withView(all, view('a')))
  other.hear()
  other.change((all) => withoutView(all, 'a'))
  one.hear()
  expect(names(one)).toEqual([])
})

test('storage that is denied is said, and the view lasts as long as the page', () => {
  const store = createViewsStore(() => {
    throw new DOMException('no', 'SecurityError')
  })
  const listener = vi.fn()
  store.subscribe(listener)
  expect(store.load()).toBe(store.load())
  store.change((all) => withView(all, view('a')))
  expect(store.load().problem).toBe('denied')
  expect(names(store)).toEqual(['A'])
  expect(listener).toHaveBeenCalledOnce()
})

test('storage that is full is said, and the next change that fits saves all', () => {
  const shared = createShared()
  let isFull = true
  const store = createViewsStore(() => ({
    getItem: shared.storage.getItem,
    setItem: (key, text) => {
      if (isFull) throw new DOMException('full', 'QuotaExceededError')
      shared.storage.setItem(key, text)
    },
  }))
  store.change((all) => withView(all, view('a')))
  expect(store.load().problem).toBe('full')
  isFull = false
  store.change((all) => withView(all, view('b')))
  expect(store.load().problem).toBe(null)
  expect(names(shared.open())).toEqual(['A', 'B'])
})

test('what a newer version keeps is never written over', () => {
  const newer = '{"format":"bellwether.views","version":9,"views":[]}'
  const shared = createShared({ [VIEWS_KEY]: newer })
  const store = shared.open()
  store.change((all) => withView(all, view('a')))
  expect(store.load().problem).toBe('newer')
  expect(names(store)).toEqual(['A'])
  expect(shared.texts.get(VIEWS_KEY)).toBe(newer)
})

test('what cannot be read is put aside before anything takes its place', () => {
  const shared = createShared({ [VIEWS_KEY]: '{"views":' })
  const store = shared.open()
  expect(store.load().problem).toBe('damaged')
  store.change((all) => withView(all, view('a')))
  expect(shared.texts.get(UNREADABLE_KEY)).toBe('{"views":')
  expect(names(shared.open())).toEqual(['A'])
})

test('a storage that somebody emptied is empty', () => {
  const shared = createShared()
  const store = shared.open()
  store.change((all) => withView(all, view('a')))
  shared.texts.clear()
  store.hear()
  expect(names(store)).toEqual([])
})

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
    { numRuns: draws(2000) },
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
