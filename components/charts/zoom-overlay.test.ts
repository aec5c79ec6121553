import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NOWHERE, pressKey, type Reader, toSelected, toSelection } from './zoom-overlay.tsx'

function walk(keys: string, count = 50): Reader {
  return keys.split(' ').reduce<Reader>((reader, key) => {
    const shiftKey = key.startsWith('+')
    return pressKey(reader, { key: key.replace('+', ''), shiftKey }, count) ?? reader
  }, NOWHERE)
}

describe('the keys of a chart', () => {
  test('come in at the oldest bucket going on, at the newest going back', () => {
    expect(walk('ArrowRight').index).toBe(0)
    expect(walk('ArrowLeft').index).toBe(49)
    expect(walk('PageUp').index).toBe(40)
  })

  test('go by one, by ten and to the ends, and never beyond them', () => {
    expect(walk('Home ArrowRight ArrowRight').index).toBe(2)
    expect(walk('Home PageDown').index).toBe(10)
    expect(walk('End ArrowRight').index).toBe(49)
    expect(walk('Home ArrowLeft').index).toBe(0)
    expect(walk('Home PageDown PageUp PageUp').index).toBe(0)
  })

  test('select with Shift, and give the selection up without it', () => {
    expect(toSelected(walk('Home +ArrowRight +ArrowRight'), 50)).toEqual({ from: 0, to: 3 })
    expect(toSelected(walk('End +PageUp'), 50)).toEqual({ from: 39, to: 50 })
    expect(toSelected(walk('+PageUp'), 50)).toEqual({ from: 40, to: 50 })
    expect(toSelected(walk('+PageDown'), 50)).toEqual({ from: 0, to: 10 })
    expect(walk('Home +ArrowRight ArrowRight').anchor).toBeNull()
  })

  test('Escape gives up the selection first, then the place, then is somebody else’s', () => {
    expect(walk('Home +ArrowRight Escape')).toEqual({ index: 1, anchor: null })
    expect(walk('Home +ArrowRight Escape Escape')).toEqual(NOWHERE)
    expect(pressKey(NOWHERE, { key: 'Escape', shiftKey: false }, 50)).toBeNull()
  })

  test('that a chart has no use for are left alone', () => {
    for (const key of ['Tab', 'a', 'Enter', 'ArrowUp']) {
      expect(pressKey({ index: 3, anchor: null }, { key, shiftKey: false }, 50)).toBeNull()
    }
  })
})

test('a selection is at least two buckets wide, inside, and holds both ends', () => {
  const bucket = fc.integer({ min: 0, max: 399 })
  fc.assert(
    fc.property(bucket, bucket, fc.integer({ min: 3, max: 400 }), (a, b, count) => {
      const [began, reached] = [a % count, b % count]
      const columns = toSelection(began, reached, count)
      expect(columns).not.toBeNull()
      const { from, to } = columns ?? { from: 0, to: 0 }
      expect(to - from).toBeGreaterThanOrEqual(2)
      expect(from).toBeGreaterThanOrEqual(0)
      expect(to).toBeLessThanOrEqual(count)
      expect(from).toBeLessThanOrEqual(Math.min(began, reached))
      expect(to).toBeGreaterThan(Math.max(began, reached))
    }),
  )
})

test('a selection is the same in both directions', () => {
  expect(toSelection(7, 3, 20)).toEqual(toSelection(3, 7, 20))
})

test('where two buckets are all, there is nothing to choose', () => {
  expect(toSelection(0, 1, 2)).toBeNull()
  expect(toSelection(0, 0, 1)).toBeNull()
})
