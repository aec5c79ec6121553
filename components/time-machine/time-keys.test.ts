import { expect, it } from 'vitest'
import { toStepOfKey } from './time-keys.ts'

const NOTHING = {
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  defaultPrevented: false,
  isComposing: false,
  target: null,
}
const press = (key: string, how: Partial<typeof NOTHING> = {}) =>
  toStepOfKey({ ...NOTHING, ...how, key })

it('brackets step a day, braces a week', () => {
  expect(['[', ']', '{', '}'].map((key) => press(key))).toEqual([-1, 1, -7, 7])
  expect(['(', 'a', 'Enter', 'toString'].map((key) => press(key))).toEqual([null, null, null, null])
})

it('they do on keyboards that reach them by AltGr or Option', () => {
  expect(press('[', { ctrlKey: true, altKey: true })).toBe(-1)
  expect(press(']', { altKey: true })).toBe(1)
})

it('a shortcut of the browser, and what somebody else took, stays theirs', () => {
  expect(press('[', { metaKey: true })).toBeNull()
  expect(press(']', { ctrlKey: true })).toBeNull()
  expect(press('[', { defaultPrevented: true })).toBeNull()
  expect(press('[', { isComposing: true })).toBeNull()
})
