import { expect, it } from 'vitest'
import { toPaletteKey } from './palette-list.tsx'
import type { Row } from './sections.ts'

const open: Row = { id: 'a', label: 'a', action: { do: 'open', href: '/' } }
const write: Row = { id: 'b', label: 'b', action: { do: 'write', text: 'b', caret: 1 } }
const last: Row = { id: 'c', label: 'c', action: { do: 'page', action: 'export' } }
const none = {
  keyCode: 0,
  isComposing: false,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
}
const press = (key: string, more: object = {}, marked: Row | undefined = open) =>
  toPaletteKey({ ...none, key, ...more }, { rows: [open, write, last], marked, isWord: true })

it('goes round the rows by arrows, and stops at their ends by Page keys', () => {
  expect(press('ArrowDown')).toEqual({ mark: 'b' })
  expect(press('ArrowUp')).toEqual({ mark: 'c' })
  expect(press('ArrowDown', {}, last)).toEqual({ mark: 'a' })
  expect(press('PageDown')).toEqual({ mark: 'c' })
  expect(press('PageUp', {}, last)).toEqual({ mark: 'a' })
})

it('takes the highlighted row by Enter, in a new tab with Ctrl or ⌘', () => {
  expect(press('Enter')).toEqual({ choose: open, inNewTab: false })
  expect(press('Enter', { metaKey: true })).toEqual({ choose: open, inNewTab: true })
  const nothing = { rows: [], marked: undefined, isWord: false }
  expect(toPaletteKey({ ...none, key: 'Enter' }, nothing)).toEqual({
    choose: null,
    inNewTab: false,
  })
  expect(toPaletteKey({ ...none, key: 'ArrowDown' }, nothing)).toBe(null)
})

it('completes a word by Tab, and leaves the field where there is none', () => {
  expect(press('Tab')).toEqual({ choose: write, inNewTab: false })
  expect(press('Tab', { shiftKey: true })).toBe(null)
  for (const of of [
    { rows: [open, write], isWord: false },
    { rows: [open], isWord: true },
  ]) {
    expect(toPaletteKey({ ...none, key: 'Tab' }, { ...of, marked: open })).toBe(null)
  }
})

it('leaves keys that move the caret to the field, and those of an input method', () => {
  for (const key of ['Home', 'End', 'ArrowLeft', 'a', 'Escape']) expect(press(key)).toBe(null)
  expect(press('Enter', { isComposing: true })).toBe(null)
  expect(press('ArrowDown', { keyCode: 229 })).toBe(null)
})
