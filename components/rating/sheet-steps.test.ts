import fc from 'fast-check'
import { expect, test } from 'vitest'
import { selectArrival, selectSteps } from './sheet-steps.ts'

const info = (number: number, total: number, size = 3) => ({
  number,
  size,
  total,
  pages: Math.max(1, Math.ceil(total / size)),
})

test('stepping forward from the first rating reaches every one of the result, once and in order', () => {
  const property = fc.property(
    fc.integer({ min: 1, max: 40 }),
    fc.integer({ min: 1, max: 7 }),
    (total, size) => {
      const all = Array.from({ length: total }, (_, index) => 1000 - index)
      const idsOf = (page: number) => all.slice((page - 1) * size, page * size)
      const walk = (from: number, direction: 1 | -1) => {
        let [open, page] = [all.at(direction === 1 ? 0 : -1) ?? 0, from]
        const seen = [open]
        for (;;) {
          const steps = selectSteps({ ids: idsOf(page), info: info(page, total, size), open })
          expect(steps.position).toBe(all.indexOf(open) + 1)
          const way = direction === 1 ? steps.next : steps.previous
          if (way.kind === 'none') return seen
          if (way.kind === 'page') page = way.number
          open =
            way.kind === 'rating'
              ? way.id
              : (selectArrival(idsOf(page), open, direction) ?? Number.NaN)
          seen.push(open)
        }
      }
      expect(walk(1, 1)).toEqual(all)
      expect(walk(Math.ceil(total / size), -1)).toEqual([...all].reverse())
    },
  )
  fc.assert(property)
})

test('at the very ends there is no step, and a reason', () => {
  expect(selectSteps({ ids: [5, 4, 3], info: info(1, 4), open: 5 }).previous).toEqual({
    kind: 'none',
    why: 'This is the first rating of the results.',
  })
  expect(selectSteps({ ids: [2], info: info(2, 4), open: 2 }).next).toEqual({
    kind: 'none',
    why: 'This is the last rating of the results.',
  })
})

test('a rating that is not on the page has no position, and leads to the first that is', () => {
  expect(selectSteps({ ids: [5, 4, 3], info: info(1, 4), open: 99 })).toEqual({
    position: null,
    previous: { kind: 'none', why: 'The open rating is not on this page of the results.' },
    next: { kind: 'rating', id: 5 },
  })
  expect(selectSteps({ ids: [], info: info(1, 0), open: 99 }).next).toEqual({
    kind: 'none',
    why: 'The results hold no rating.',
  })
})

test('where new ratings moved the open one onto the next page, the step leads beyond it', () => {
  expect(selectArrival([3, 2, 1], 3, 1)).toBe(2)
  expect(selectArrival([6, 5, 4], 4, -1)).toBe(5)
  expect(selectArrival([], 4, 1)).toBeNull()
})
