import { expect, it, vi } from 'vitest'
import { aRow } from '#testing/components/rating-row.ts'
import { createRowSession, MARK } from './table-session.ts'

const aTableRow = (id: number, isSelected = false) => ({
  original: aRow({ id }),
  getIsSelected: () => isSelected,
})

it('there is always one way in for the keyboard: the first row, or where it has been', () => {
  const session = createRowSession(null)
  expect(session.marksOf(aTableRow(1), true)).toBe(MARK.tabStop)
  expect(session.marksOf(aTableRow(2), false)).toBe(0)
  session.set({ cursor: 2 })
  expect(session.marksOf(aTableRow(1), true)).toBe(0)
  expect(session.marksOf(aTableRow(2), false)).toBe(MARK.tabStop)
})

it('a row is told apart by what is selected, open and at hand, all at once', () => {
  const session = createRowSession(7)
  session.set({ cursor: 7 })
  expect(session.marksOf(aTableRow(7, true), false)).toBe(MARK.selected + MARK.open + MARK.tabStop)
  expect(session.marksOf(aTableRow(8), true)).toBe(0)
})

it('whoever listens hears of every change until he stops', () => {
  const session = createRowSession(null)
  const listener = vi.fn()
  const stop = session.subscribe(listener)
  session.set({ cursor: 1 })
  stop()
  session.set({ cursor: 2 })
  expect(listener).toHaveBeenCalledTimes(1)
})
