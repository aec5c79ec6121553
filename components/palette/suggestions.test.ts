import { describe, expect, it } from 'vitest'
import { type Row, toPaletteKey } from './suggestions.ts'

const open: Row = { id: 'a', label: 'a', action: { do: 'open', href: '/' } }
const write: Row = { id: 'b', label: 'b', action: { do: 'write', text: 'b', caret: 1 } }
const last: Row = { id: 'c', label: 'c', action: { do: 'forget' } }
const rows = [open, write, last]
const none = {
  keyCode: 0,
  isComposing: false,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
}
const press = (key: string, more: Partial<typeof none> = {}, marked: Row | undefined = open) =>
  toPaletteKey({ ...none, key, ...more }, { rows, marked, isWord: true })

describe('in the field of the palette', () => {
  it('arrows go round the rows, Page keys stop at their ends', () => {
    expect(press('ArrowDown')).toEqual({ mark: 'b' })
    expect(press('ArrowUp')).toEqual({ mark: 'c' })
    expect(press('ArrowDown', {}, last)).toEqual({ mark: 'a' })
    expect(press('PageDown')).toEqual({ mark: 'c' })
    expect(press('PageUp', {}, last)).toEqual({ mark: 'a' })
    expect(
      toPaletteKey({ ...none, key: 'ArrowDown' }, { rows: [], marked: undefined, isWord: false }),
    ).toBe(null)
  })

  it('Enter takes the marked row, or the text; with Ctrl or ⌘ in a new tab', () => {
    expect(press('Enter')).toEqual({ choose: open, inNewTab: false })
    expect(press('Enter', { metaKey: true })).toEqual({ choose: open, inNewTab: true })
    expect(
      toPaletteKey(
        { ...none, key: 'Enter', ctrlKey: true },
        { rows, marked: undefined, isWord: true },
      ),
    ).toEqual({
      choose: null,
      inNewTab: true,
    })
  })

  it('Tab completes a word, and leaves the field where there is none; Shift Tab always leaves', () => {
    expect(press('Tab')).toEqual({ choose: write, inNewTab: false })
    expect(press('Tab', { shiftKey: true })).toBe(null)
    expect(toPaletteKey({ ...none, key: 'Tab' }, { rows, marked: open, isWord: false })).toBe(null)
    expect(
      toPaletteKey({ ...none, key: 'Tab' }, { rows: [open], marked: open, isWord: true }),
    ).toBe(null)
  })

  it('Tab takes the first word that still answers what is typed', () => {
    const old = { ...write, id: 'old', isOld: true }
    const press = (rows: (typeof old)[]) =>
      toPaletteKey({ ...none, key: 'Tab' }, { rows, marked: open, isWord: true })
    expect(press([old, { ...write, isOld: false }])).toMatchObject({ choose: { id: write.id } })
    expect(press([old])).toMatchObject({ choose: { id: 'old' } })
  })

  it('keys that move the caret, and those of an input method, are its own', () => {
    for (const key of ['Home', 'End', 'ArrowLeft', 'a', 'Escape']) expect(press(key)).toBe(null)
    expect(press('Enter', { isComposing: true })).toBe(null)
    expect(press('ArrowDown', { keyCode: 229 })).toBe(null)
  })
})
