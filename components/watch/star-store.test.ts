import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createStarStore } from './star-store.ts'
import { NO_STARS, withLook, withStar } from './stars.ts'
import { isKey, readStarsText, toStarsText } from './stars-text.ts'
import { STARS_KEY } from './storage-key.ts'
import { toStarId } from './watched.ts'

const AAPL = { kind: 'symbol', key: 'AAPL', name: '' } as const
const held = {
  ratings: 2,
  newest: [7, 3],
  newestAt: 100,
  consensus: '3.5000',
  active: 2,
  at: 200,
  generation: 4,
  of: '',
}
const looked = withLook(withStar(NO_STARS, AAPL), new Map([[toStarId(AAPL), held]]))

function createShared(initial: Record<string, string> = {}) {
  const texts = new Map(Object.entries(initial))
  const storage = {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
  }
  return { texts, open: () => createStarStore(() => storage) }
}
const ids = (store: ReturnType<typeof createStarStore>) => store.load().saved.stars.map(toStarId)

test('what is kept is read as it was, looks too', () => {
  expect(readStarsText(toStarsText(looked))).toEqual({ ok: true, value: looked, isWhole: true })
})

test('stars of two tabs are put together, and a look in one is a look in the other', () => {
  const shared = createShared()
  const [one, other] = [shared.open(), shared.open()]
  one.change((all) => withStar(all, AAPL))
  other.change((all) => withStar(all, { kind: 'user', key: '12', name: '' }))
  one.hear()
  expect(ids(one)).toEqual(['symbol AAPL', 'user 12'])
  expect(ids(other)).toEqual(ids(one))
  one.change((all) => withLook(all, new Map([[toStarId(AAPL), held]])))
  other.hear()
  expect(other.load().saved.stars[0]?.seen).toEqual(held)
})

test('a change that changes nothing writes nothing', () => {
  const shared = createShared()
  const store = shared.open()
  store.change(() => looked)
  const before = shared.texts.get(STARS_KEY)
  let told = 0
  store.subscribe(() => {
    told += 1
  })
  store.change((all) => withLook(all, new Map([[toStarId(AAPL), held]])))
  expect([told, shared.texts.get(STARS_KEY)]).toEqual([0, before])
})

test('what a newer version keeps is left alone, and what is damaged is put aside', () => {
  const newer = '{"format":"bellwether.watching","version":9,"stars":[]}'
  const kept = createShared({ [STARS_KEY]: newer })
  kept.open().change((all) => withStar(all, AAPL))
  expect(kept.texts.get(STARS_KEY)).toBe(newer)
  const damaged = createShared({ [STARS_KEY]: '{' })
  damaged.open().change((all) => withStar(all, AAPL))
  expect([...damaged.texts.values()]).toContain('{')
  expect(ids(damaged.open())).toEqual(['symbol AAPL'])
})

test('one star that cannot be read does not take the others with it, and nothing throws', () => {
  const text = toStarsText(looked)
  const { stars, ...rest } = JSON.parse(text)
  const [star] = stars
  const odd = [star, 7, { ...star, kind: 'rating' }, { ...star, key: 'aapl' }, { ...star, seen: 5 }]
  const read = readStarsText(JSON.stringify({ ...rest, stars: odd }))
  expect(read).toEqual({ ok: true, value: looked, isWhole: false })
  fc.assert(fc.property(fc.json(), (garbage) => !readStarsText(garbage).ok))
})

test('a name is one of a symbol, a user or a view only in the form that these are compared in', () => {
  expect(isKey(AAPL)).toBe(true)
  expect(isKey({ kind: 'symbol', key: 'BRK B' })).toBe(true)
  expect(isKey({ kind: 'symbol', key: 'aapl' })).toBe(false)
  expect(isKey({ kind: 'user', key: '-3' })).toBe(true)
  expect(isKey({ kind: 'user', key: '03' })).toBe(false)
  expect(isKey({ kind: 'view', key: '__proto__' })).toBe(false)
})
