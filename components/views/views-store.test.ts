import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NO_STARS, withStar } from '#components/watch/stars.ts'
import type { Watched } from '#components/watch/watched.ts'
import { type SavedView, withoutView, withView } from './saved-view.ts'
import { VIEWS_KEY } from './storage-key.ts'
import {
  addViews,
  createViewsStore,
  readViewsText,
  toFileText,
  UNREADABLE_KEY,
} from './views-store.ts'

const view = (id: string, address = `symbol=${id}`): SavedView => ({
  id,
  name: id.toUpperCase(),
  address,
})

function createShared(initial: Record<string, string> = {}) {
  const texts = new Map(Object.entries(initial))
  const storage = {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
  }
  return { texts, open: () => createViewsStore(() => storage) }
}
const names = (store: ReturnType<typeof createViewsStore>) =>
  store.load().saved.map(({ name }) => name)

test('two tabs that save keep both views, and a deleted view is gone in both', () => {
  const shared = createShared()
  const [one, other] = [shared.open(), shared.open()]
  expect([names(one), names(other)]).toEqual([[], []])
  one.change((all) => withView(all, view('a')))
  other.change((all) => withView(all, view('b')))
  one.hear()
  expect(names(one)).toEqual(['A', 'B'])
  one.change((all) => withoutView(all, 'a'))
  other.hear()
  expect(names(other)).toEqual(['B'])
  expect(names(shared.open())).toEqual(['B'])
})

test('views last as long as the page when storage is denied', () => {
  const store = createViewsStore(() => {
    throw new DOMException('no', 'SecurityError')
  })
  store.change((all) => withView(all, view('a')))
  expect(store.load().problem).toBe('denied')
  expect(names(store)).toEqual(['A'])
})

test('the views of a newer version are never overwritten', () => {
  const newer = '{"format":"bellwether.views","version":9,"views":[]}'
  const shared = createShared({ [VIEWS_KEY]: newer })
  const store = shared.open()
  store.change((all) => withView(all, view('a')))
  expect(store.load().problem).toBe('newer')
  expect(shared.texts.get(VIEWS_KEY)).toBe(newer)
})

test('unreadable text is kept aside before it is overwritten', () => {
  const shared = createShared({ [VIEWS_KEY]: '{"views":' })
  const store = shared.open()
  expect(store.load().problem).toBe('damaged')
  store.change((all) => withView(all, view('a')))
  expect(shared.texts.get(UNREADABLE_KEY)).toBe('{"views":')
  expect(names(shared.open())).toEqual(['A'])
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
    invalidCount: 6,
  })
})

const added = (text: string, views: readonly SavedView[]) => {
  const result = addViews(text, views)
  if (!result.ok) throw new Error(result.problem)
  return result
}

test('an import adds the views that do not exist, and twice is once', () => {
  const file = toFileText([view('a'), view('b')], NO_STARS)
  const once = added(file, [{ ...view('a'), id: 'mine' }])
  expect(once).toMatchObject({
    views: [{ ...view('a'), id: 'mine' }, view('b')],
    addedCount: 1,
    knownCount: 1,
  })
  expect(added(file, once.views)).toMatchObject({ views: once.views, addedCount: 0, knownCount: 2 })
})

test('an import never changes an existing view: a taken name gets a number', () => {
  const file = toFileText([view('a', 'rating=5')], NO_STARS)
  const [mine, theirs] = added(file, [view('a')]).views
  expect(mine).toEqual(view('a'))
  expect(theirs).toMatchObject({ name: 'A 2', address: 'rating=5' })
  expect(theirs?.id).not.toBe('a')
})

test('an import that does not fit adds nothing', () => {
  const full = Array.from({ length: 200 }, (_, index) => view(`v${index}`))
  expect(addViews(toFileText([view('a')], NO_STARS), full)).toMatchObject({ ok: false })
  expect(addViews(toFileText([], NO_STARS), [])).toMatchObject({ ok: false })
})

test('a file has stars, which follow a view to its id in this browser', () => {
  const watched: Watched[] = [
    { kind: 'symbol', key: 'AAPL', name: '' },
    { kind: 'view', key: 'a', name: 'A' },
  ]
  const file = toFileText([view('a')], watched.reduce(withStar, NO_STARS))
  expect(JSON.parse(file).watched).toEqual({ symbols: ['AAPL'], users: [], views: ['a'] })
  expect(added(file, []).watched).toEqual(watched)
  expect(added(file, [{ ...view('a'), id: 'mine' }]).watched[1]).toMatchObject({ key: 'mine' })
})
