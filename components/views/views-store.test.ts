import { expect, test, vi } from 'vitest'
import { NO_VIEWS, withoutView, withView } from './saved-view.ts'
import { VIEWS_KEY } from './views-key.ts'
import { ASIDE_KEY, createViewsStore } from './views-store.ts'
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
  expect(shared.texts.get(ASIDE_KEY)).toBe('{"views":')
  expect(names(shared.open())).toEqual(['A'])
})

test('views of version 1 stay where they are until something changes, and are all kept then', () => {
  const old =
    '{"format":"bellwether.views","version":1,"views":[{"name":"Old","query":"?symbol=AAPL"}],"default":"Old"}'
  const shared = createShared({ [VIEWS_KEY]: old })
  const store = shared.open()
  expect(names(store)).toEqual(['Old'])
  expect(store.load().saved.first.id).toBe('v1-1')
  expect(shared.texts.get(VIEWS_KEY)).toBe(old)
  store.change((all) => withView(all, view('a')))
  expect(names(shared.open())).toEqual(['Old', 'A'])
  expect(shared.open().load().saved.first.id).toBe('v1-1')
})

test('a storage that somebody emptied is empty', () => {
  const shared = createShared()
  const store = shared.open()
  store.change((all) => withView(all, view('a')))
  shared.texts.clear()
  store.hear()
  expect(names(store)).toEqual([])
})
