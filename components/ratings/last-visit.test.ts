import fc from 'fast-check'
import { expect, it } from 'vitest'
import { noteVisit, toSince, toVisit } from './last-visit.ts'

const DAY = 86_400
const NOON = 20_000 * DAY + DAY / 2

const createStorage = (text: string | null = null) => {
  let kept = text
  return {
    getItem: () => kept,
    setItem: (_: string, next: string) => {
      kept = next
    },
  }
}

it('a visit goes on while its reader is away for less than half an hour', () => {
  const first = toVisit(null, NOON)
  expect(first).toEqual({ seen: NOON, before: null })
  const second = toVisit(first, NOON + 1799)
  expect(second).toEqual({ seen: NOON + 1799, before: null })
  const third = toVisit(second, NOON + 1799 + 1800)
  expect(third).toEqual({ seen: NOON + 3599, before: NOON + 1799 })
  expect(toVisit(third, NOON + 3700).before).toBe(NOON + 1799)
})

it('is told from the day of the last visit on, and of the last week otherwise', () => {
  expect(toSince(null, NOON)).toBeNull()
  expect(toSince(NOON - 3600, NOON)).toBeNull()
  expect(toSince(NOON - DAY, NOON)).toBe(NOON - DAY - DAY / 2)
  expect(toSince(NOON - 30 * DAY, NOON)).toBe(NOON - 30 * DAY - DAY / 2)
  expect(toSince(NOON - 31 * DAY, NOON)).toBeNull()
})

it('whatever a browser keeps, a visit ends no later than now and is told from no later than yesterday on', () => {
  const anInstant = fc.integer({ min: 0, max: 2 * NOON })
  const aText = fc.oneof(
    fc.string(),
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc
      .record({ seen: anInstant, before: fc.option(anInstant) })
      .map((kept) => JSON.stringify(kept)),
  )
  fc.assert(
    fc.property(fc.option(aText), (text) => {
      const storage = createStorage(text)
      const since = toSince(
        noteVisit(() => storage, NOON),
        NOON,
      )
      if (since === null) return
      expect(since).toBeLessThan(NOON - DAY / 2)
      expect(since).toBeGreaterThanOrEqual(NOON - 31 * DAY)
      expect(since % DAY).toBe(0)
    }),
  )
})

it('a browser that keeps nothing knows of no visit', () => {
  const deny = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  expect(noteVisit(deny, NOON)).toBeNull()
})

it('a clock that was set back begins anew', () => {
  expect(toVisit({ seen: NOON + 60, before: NOON }, NOON)).toEqual({ seen: NOON, before: null })
})
