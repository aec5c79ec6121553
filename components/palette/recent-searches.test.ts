import { describe, expect, it } from 'vitest'
import { createRecentSearches } from './recent-searches.ts'

function toStorage(kept: Record<string, string> = {}) {
  const values = new Map(Object.entries(kept))
  return {
    values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  }
}
const KEY = 'bellwether.searches'
const forbidden = () => {
  throw new DOMException('no', 'SecurityError')
}

describe('recent searches', () => {
  it('are kept for the next visit, the latest first, each once', () => {
    const storage = toStorage()
    const history = createRecentSearches(() => storage)
    for (const text of ['a', 'b', ' a ', '']) history.remember(text)
    expect(createRecentSearches(() => storage).load()).toEqual({
      searches: ['a', 'b'],
      isKept: true,
    })
  })

  it('are at most twenty', () => {
    const history = createRecentSearches(() => toStorage())
    const storage = toStorage()
    const kept = createRecentSearches(() => storage)
    for (let i = 0; i < 30; i++) kept.remember(`user:${i}`)
    expect(kept.load().searches).toHaveLength(20)
    expect(kept.load().searches[0]).toBe('user:29')
    expect(history.load().searches).toEqual([])
  })

  it('last as long as the page where the browser forbids storage, and that is said', () => {
    const history = createRecentSearches(forbidden)
    expect(history.load()).toEqual({ searches: [], isKept: true })
    history.remember('user:1')
    history.remember('user:2')
    expect(history.load()).toEqual({ searches: ['user:2', 'user:1'], isKept: false })
    history.forget()
    expect(history.load().searches).toEqual([])
  })

  it('last as long as the page where the storage is full', () => {
    const storage = { ...toStorage(), setItem: forbidden }
    const history = createRecentSearches(() => storage)
    history.remember('user:1')
    expect(history.load()).toEqual({ searches: ['user:1'], isKept: false })
  })

  it('are forgotten when asked', () => {
    const storage = toStorage()
    const history = createRecentSearches(() => storage)
    history.remember('user:1')
    history.forget()
    expect(history.load().searches).toEqual([])
    expect(storage.values.size).toBe(0)
  })

  it('in another form are none, and those of a later version are left alone', () => {
    const foreign = '{"version":1,"searches":[{"kind":"Page","label":"x","path":"//example.org"}]}'
    for (const text of ['', 'null', '[]', '{"version":1,"searches":[3]}', '{{{', foreign]) {
      expect(createRecentSearches(() => toStorage({ [KEY]: text })).load().searches, text).toEqual(
        [],
      )
    }
    const newer = '{"version":2,"filters":[]}'
    const storage = toStorage({ [KEY]: newer })
    const history = createRecentSearches(() => storage)
    history.remember('user:1')
    expect(storage.values.get(KEY)).toBe(newer)
    expect(history.load()).toEqual({ searches: ['user:1'], isKept: false })
  })

  it('may be places, each once, among filters', () => {
    const storage = toStorage({ [KEY]: '{"version":1,"searches":["rating:5"]}' })
    const history = createRecentSearches(() => storage)
    const tesla = { kind: 'Symbol', label: 'TSLA', path: '/symbols/TSLA' }
    for (const search of [tesla, 'user:12', tesla]) history.remember(search)
    expect(createRecentSearches(() => storage).load().searches).toEqual([
      tesla,
      'user:12',
      'rating:5',
    ])
  })

  it('that have not changed are the same object, as a store must give them', () => {
    const history = createRecentSearches(() =>
      toStorage({ [KEY]: '{"version":1,"searches":["a"]}' }),
    )
    expect(history.load()).toBe(history.load())
  })
})
