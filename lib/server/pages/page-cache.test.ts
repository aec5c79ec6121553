import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPageCache } from './page-cache.ts'

const kept = (value: string, bytes = 100, stamp = 's') => ({ stamp, value, bytes })

describe('what is kept', () => {
  it('is good for its own stamp and no other', () => {
    const cache = createPageCache<string>({ maxBytes: 10_000 })
    cache.set('/', kept('old', 100, 'one'))
    expect(cache.get('/', 'one')).toBe('old')
    expect(cache.get('/', 'two')).toBeUndefined()
    cache.set('/', kept('new', 100, 'two'))
    expect(cache.get('/', 'two')).toBe('new')
    expect(cache.get('/', 'one')).toBeUndefined()
  })

  it('popular pages stay, however many addresses are requested once', () => {
    const cache = createPageCache<string>({ maxBytes: 10_000 })
    cache.set('/', kept('everybody’s'))
    cache.get('/', 's')
    for (let n = 0; n < 5000; n += 1) cache.set(`/?random=${n}`, kept('nobody’s'))
    expect(cache.get('/', 's')).toBe('everybody’s')
  })

  it('keeps its place when it is made anew', () => {
    const cache = createPageCache<string>({ maxBytes: 10_000 })
    cache.set('/', kept('first', 100, 'one'))
    cache.get('/', 'one')
    cache.get('/', 'two')
    cache.set('/', kept('second', 100, 'two'))
    for (let n = 0; n < 5000; n += 1) cache.set(`/?random=${n}`, kept('nobody’s'))
    expect(cache.get('/', 'two')).toBe('second')
  })

  it('never takes more than it may, and never gives one key’s value to another', () => {
    const step = fc.record({
      key: fc.integer({ min: 0, max: 30 }).map((n) => `/${'x'.repeat(n)}`),
      stamp: fc.constantFrom('a', 'b'),
      bytes: fc.integer({ min: 0, max: 4000 }),
      isSet: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const cache = createPageCache<string>({ maxBytes: 8000 })
        for (const { key, stamp, bytes, isSet } of steps) {
          const value = `${key} ${stamp}`
          if (isSet) cache.set(key, { stamp, value, bytes })
          else expect([value, undefined]).toContain(cache.get(key, stamp))
          expect(cache.bytes()).toBeLessThanOrEqual(8000)
        }
      }),
    )
  })
})
