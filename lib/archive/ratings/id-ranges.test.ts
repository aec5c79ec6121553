import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type IdRange, limitRanges, subtractRanges, uniteRanges } from './id-ranges.ts'

const aRange = fc
  .tuple(fc.integer({ min: -5, max: 60 }), fc.nat(7))
  .map(([low, more]): IdRange => [low, low + more])
const ranges = fc.array(aRange, { maxLength: 8 })

const toSet = (some: readonly IdRange[]) =>
  new Set(some.flatMap(([low, high]) => Array.from({ length: high - low + 1 }, (_, n) => low + n)))

const countIds = (some: readonly IdRange[]) =>
  some.reduce((sum, [low, high]) => sum + high - low + 1, 0)

test('ranges that are united hold the same numbers, in order, each apart from the next', () => {
  fc.assert(
    fc.property(ranges, (some) => {
      const united = uniteRanges(some)
      expect(toSet(united)).toEqual(toSet(some))
      expect(countIds(united)).toBe(toSet(some).size)
      for (const [index, [low]] of united.entries()) {
        expect(low).toBeGreaterThan((united[index - 1]?.[1] ?? Number.NEGATIVE_INFINITY) + 1)
      }
    }),
  )
})

test('what is left of ranges is what is in none of the others', () => {
  fc.assert(
    fc.property(ranges, ranges, (some, taken) => {
      const left = subtractRanges(uniteRanges(some), uniteRanges(taken))
      const others = toSet(taken)
      expect(toSet(left)).toEqual(new Set([...toSet(some)].filter((id) => !others.has(id))))
    }),
  )
})

test('ranges that are too many lose none of their numbers', () => {
  fc.assert(
    fc.property(ranges, fc.integer({ min: 1, max: 4 }), (some, most) => {
      const united = uniteRanges(some)
      const limited = limitRanges(united, most)
      expect(limited.length).toBeLessThanOrEqual(most)
      expect(subtractRanges(united, limited)).toEqual([])
      expect(limited.at(-1)?.[1]).toBe(united.at(-1)?.[1])
    }),
  )
})
