import { describe, expect, it } from 'vitest'
import { createFilterHistory } from './filter-history.ts'

function toStorage(kept: Record<string, string> = {}) {
  const values = new Map(Object.entries(kept))
  return {
    values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  }
}
const KEY = 'bellwether.filters'
const forbidden = () => {
  throw new DOMException('no', 'SecurityError')
}

describe('earlier filters', () => {
  it('are kept for the next visit, the latest first, each once', () => {
    const storage = toStorage()
    const history = createFilterHistory(() => storage)
    for (const text of ['a', 'b', ' a ', '']) history.remember(text)
    expect(createFilterHistory(() => storage).load()).toEqual({ texts: ['a', 'b'], isKept: true })
  })

  it('are at most twenty', () => {
    const history = createFilterHistory(() => toStorage())
    const storage = toStorage()
    const kept = createFilterHistory(() => storage)
    for (let i = 0; i < 30; i++) kept.remember(`user:${i}`)
    expect(kept.load().texts).toHaveLength(20)
    expect(kept.load().texts[0]).toBe('user:29')
    expect(history.load().texts).toEqual([])
  })

  it('last as long as the page where the browser forbids storage, and that is said', () => {
    const history = createFilterHistory(forbidden)
    expect(history.load()).toEqual({ texts: [], isKept: true })
    history.remember('user:1')
    history.remember('user:2')
    expect(history.load()).toEqual({ texts: ['user:2', 'user:1'], isKept: false })
    history.forget()
    expect(history.load().texts).toEqual([])
  })

  it('last as long as the page where the storage is full', () => {
    const storage = { ...toStorage(), setItem: forbidden }
    const history = createFilterHistory(() => storage)
    history.remember('user:1')
    expect(history.load()).toEqual({ texts: ['user:1'], isKept: false })
  })

  it('are forgotten when asked', () => {
    const storage = toStorage()
    const history = createFilterHistory(() => storage)
    history.remember('user:1')
    history.forget()
    expect(history.load().texts).toEqual([])
    expect(storage.values.size).toBe(0)
  })

  it('in another form are none, and those of a later version are left alone', () => {
    for (const text of ['', 'null', '[]', '{"version":1,"texts":[3]}', '{{{']) {
      expect(createFilterHistory(() => toStorage({ [KEY]: text })).load().texts, text).toEqual([])
    }
    const newer = '{"version":2,"filters":[]}'
    const storage = toStorage({ [KEY]: newer })
    const history = createFilterHistory(() => storage)
    history.remember('user:1')
    expect(storage.values.get(KEY)).toBe(newer)
    expect(history.load()).toEqual({ texts: ['user:1'], isKept: false })
  })

  it('that have not changed are the same object, as a store must give them', () => {
    const history = createFilterHistory(() => toStorage({ [KEY]: '{"version":1,"texts":["a"]}' }))
    expect(history.load()).toBe(history.load())
  })
})
