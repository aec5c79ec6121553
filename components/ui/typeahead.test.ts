import { expect, test } from 'vitest'
import { moveActive } from './typeahead.tsx'

test('the arrows open the list and go round in it', () => {
  expect(moveActive('ArrowDown', { open: false, active: -1, count: 3 })).toMatchObject({
    open: true,
    active: 0,
  })
  expect(moveActive('ArrowDown', { open: true, active: 2, count: 3 })?.active).toBe(0)
  expect(moveActive('ArrowUp', { open: true, active: 0, count: 3 })?.active).toBe(2)
  expect(moveActive('ArrowDown', { open: true, active: -1, count: 0 })?.active).toBe(-1)
})

test('Enter chooses only what is pointed at, so that a form can still be sent', () => {
  expect(moveActive('Enter', { open: true, active: 1, count: 3 })?.choose).toBe(true)
  expect(moveActive('Enter', { open: true, active: -1, count: 3 })).toBeNull()
  expect(moveActive('Enter', { open: false, active: -1, count: 3 })).toBeNull()
})

test('Escape closes the list before it empties the field', () => {
  expect(moveActive('Escape', { open: true, active: 1, count: 3 })?.clear).toBe(false)
  expect(moveActive('Escape', { open: false, active: -1, count: 3 })?.clear).toBe(true)
})
