import { describe, expect, it } from 'vitest'
import { createStore, KEY } from './store.ts'

class FakeStorage implements Storage {
  texts: Map<string, string>
  isFull = false
  constructor(texts: Record<string, string> = {}) {
    this.texts = new Map(Object.entries(texts))
  }
  get length() {
    return this.texts.size
  }
  clear() {
    this.texts.clear()
  }
  key(index: number) {
    return [...this.texts.keys()][index] ?? null
  }
  getItem(key: string) {
    return this.texts.get(key) ?? null
  }
  setItem(key: string, text: string) {
    if (this.isFull) throw new DOMException('', 'QuotaExceededError')
    this.texts.set(key, text)
  }
  removeItem(key: string) {
    this.texts.delete(key)
  }
}

function open(storage: Storage) {
  const store = createStore(() => storage)
  store.rehydrate()
  return { ...store, state: store.useStored.getState }
}

const view = (id: string) => ({ id, name: id, address: '' })
const AAPL = { kind: 'symbol', key: 'AAPL', name: '', seen: null, before: null } as const

/** As the last release wrote them. */
const EARLIER = {
  'bellwether.watching':
    '{"format":"bellwether.watching","version":1,"stars":[{"kind":"symbol","key":"AAPL","name":"","revision":3,"seen":{"ratings":2,"newest":[7,3],"newest_at":1722556800,"consensus":"3.5000","active":2,"at":1722560000,"generation":4,"of":""},"before":null},{"kind":"user","key":"12","name":"","revision":2,"seen":null,"before":null}],"removed":[{"kind":"user","key":"5","revision":1}]}',
  'bellwether.views':
    '{"format":"bellwether.views","version":1,"views":[{"id":"9f86d081884c7d65","name":"Buys","address":"rating=4,5"}]}',
  'bellwether.time-zone': 'local',
  'bellwether.sql':
    '{"version":1,"queries":[{"query":"SELECT count(*) FROM ratings","at":1722556800000}]}',
  'bellwether.single-keys': 'off',
  'bellwether.ratings.table': '{"version":1,"hidden":["id"],"density":"compact"}',
  'bellwether.symbols/near.table': '{"version":1,"sizes":{"symbol":120}}',
}

const EARLIER_STATE = {
  stars: [
    {
      kind: 'symbol',
      key: 'AAPL',
      name: '',
      seen: {
        ratings: 2,
        newest: [7, 3],
        newestAt: 1722556800,
        consensus: '3.5000',
        active: 2,
        at: 1722560000,
        generation: 4,
        of: '',
      },
      before: null,
    },
    { kind: 'user', key: '12', name: '', seen: null, before: null },
  ],
  views: [{ id: '9f86d081884c7d65', name: 'Buys', address: 'rating=4,5' }],
  columns: {
    ratings: '{"version":1,"hidden":["id"],"density":"compact"}',
    'symbols/near': '{"version":1,"sizes":{"symbol":120}}',
  },
  zone: 'local',
  queries: [{ query: 'SELECT count(*) FROM ratings', at: 1722556800000 }],
  singleKeys: false,
}

describe('what earlier releases stored', () => {
  it('moves to the one key, once', () => {
    const others = { theme: 'dark', 'bellwether.views+other': '{}', 'a.table': '{}' }
    const storage = new FakeStorage({ ...EARLIER, ...others })
    expect(open(storage).state()).toEqual(EARLIER_STATE)
    expect([...storage.texts.keys()]).toEqual([...Object.keys(others), KEY])
    expect(open(storage).state()).toEqual(EARLIER_STATE)
    storage.setItem('bellwether.time-zone', 'utc')
    expect(open(storage).state().zone).toBe('local')
  })

  it('stays where it is as long as the storage is full', () => {
    const storage = new FakeStorage(EARLIER)
    storage.isFull = true
    const store = open(storage)
    expect(store.state()).toEqual(EARLIER_STATE)
    expect(store.useStorageProblem.getState()).toBe('full')
    expect([...storage.texts]).toEqual(Object.entries(EARLIER))
  })

  it('is read as far as possible', () => {
    const storage = new FakeStorage({
      'bellwether.watching':
        '{"format":"bellwether.watching","version":1,"stars":[7,{"kind":"symbol","key":"AAPL","name":"","revision":1,"seen":5,"before":null}],"removed":[]}',
      'bellwether.views': '{"views":',
    })
    expect(open(storage).state()).toMatchObject({ stars: [AAPL], views: [], zone: 'utc' })
  })
})

describe('two tabs', () => {
  it('keep what the other has changed when they change something', () => {
    const storage = new FakeStorage()
    const [one, other] = [open(storage), open(storage)]
    one.updateStored(({ views }) => ({ views: [...views, view('a')] }))
    other.updateStored(({ views }) => ({ views: [...views, view('b')] }))
    one.updateStored(() => ({ stars: [AAPL] }))
    other.updateStored(({ views }) => ({ views: views.filter(({ id }) => id !== 'a') }))
    one.rehydrate()
    expect(one.state()).toMatchObject({ stars: [AAPL], views: [view('b')] })
    expect(other.state()).toEqual(one.state())
  })

  it('forget what was cleared in one', () => {
    const storage = new FakeStorage()
    const store = open(storage)
    store.updateStored(() => ({ zone: 'local' }))
    storage.clear()
    store.rehydrate()
    expect(store.state().zone).toBe('utc')
  })
})

describe('the store', () => {
  it('writes nothing before something changes', () => {
    const storage = new FakeStorage()
    open(storage)
    expect(storage.texts.size).toBe(0)
  })

  it('lasts until the page closes when storage is denied', () => {
    const store = createStore(() => {
      throw new DOMException('', 'SecurityError')
    })
    store.rehydrate()
    store.updateStored(() => ({ zone: 'local' }))
    store.updateStored(() => ({ stars: [AAPL] }))
    expect(store.useStored.getState()).toMatchObject({ zone: 'local', stars: [AAPL] })
    expect(store.useStorageProblem.getState()).toBe('denied')
  })

  it('keeps a change in memory when storage is full, and writes it once there is room', () => {
    const storage = new FakeStorage()
    const store = open(storage)
    storage.isFull = true
    store.updateStored(() => ({ stars: [AAPL] }))
    expect(store.useStorageProblem.getState()).toBe('full')
    storage.isFull = false
    store.updateStored(() => ({ zone: 'local' }))
    expect(store.useStorageProblem.getState()).toBeNull()
    expect(open(storage).state()).toMatchObject({ stars: [AAPL], zone: 'local' })
  })

  it('reads what is readable of a text that is not its own', () => {
    const of = (text: string) => open(new FakeStorage({ [KEY]: text })).state()
    const empty = of('{}')
    for (const text of ['', '7', '{"state":[],"version":1}', '{"state":{"stars":{}},"version":1}'])
      expect(of(text)).toEqual(empty)
    expect(of('{"state":{"zone":"local","views":[7],"mood":1},"version":2}')).toEqual({
      ...empty,
      zone: 'local',
    })
  })
})
