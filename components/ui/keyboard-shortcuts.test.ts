import { describe, expect, it } from 'vitest'
import { isPageKey, toShortcut as toShortcutOf } from './keyboard-shortcuts.ts'

const none = {
  keyCode: 0,
  metaKey: false,
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  defaultPrevented: false,
}
type KeyContext = { isApple: boolean; isWriting: boolean; areSingleKeysOn: boolean }

const toShortcut = (pressed: typeof none & { key: string }, context: KeyContext) =>
  toShortcutOf(
    { ...pressed, target: null },
    {
      isApple: () => context.isApple,
      areSingleKeysOn: () => context.areSingleKeysOn,
      isWrittenInto: () => context.isWriting,
    },
  )
const place = { isApple: false, isWriting: false, areSingleKeysOn: true }

describe('a shortcut', () => {
  it('is Ctrl K, on Apple ⌘ K, also while somebody writes', () => {
    for (const key of ['k', 'K']) {
      expect(toShortcut({ ...none, key, ctrlKey: true }, { ...place, isWriting: true })).toBe(
        'jump',
      )
      expect(toShortcut({ ...none, key, metaKey: true }, { ...place, isApple: true })).toBe('jump')
    }
    expect(toShortcut({ ...none, key: 'k', metaKey: true }, place)).toBe(null)
    expect(toShortcut({ ...none, key: 'k', ctrlKey: true }, { ...place, isApple: true })).toBe(null)
    expect(toShortcut({ ...none, key: 'k', ctrlKey: true, shiftKey: true }, place)).toBe(null)
    expect(toShortcut({ ...none, key: 'k' }, place)).toBe(null)
  })

  it('is / or ?, also where they need the shift key', () => {
    for (const shiftKey of [false, true]) {
      expect(toShortcut({ ...none, key: '/', shiftKey }, place)).toBe('type')
      expect(toShortcut({ ...none, key: '?', shiftKey }, place)).toBe('keys')
    }
  })

  it('of one key is none while somebody writes, nor where it is switched off', () => {
    for (const key of ['/', '?']) {
      expect(toShortcut({ ...none, key }, { ...place, isWriting: true })).toBe(null)
      expect(toShortcut({ ...none, key }, { ...place, areSingleKeysOn: false })).toBe(null)
    }
    const off = { ...place, areSingleKeysOn: false }
    expect(toShortcut({ ...none, key: 'k', ctrlKey: true }, off)).toBe('jump')
  })

  it('is none while an input method composes, with other keys held, or where somebody took it', () => {
    for (const more of [
      { isComposing: true },
      { keyCode: 229 },
      { altKey: true },
      { ctrlKey: true },
      { defaultPrevented: true },
    ]) {
      expect(toShortcut({ ...none, ...more, key: '/' }, place)).toBe(null)
    }
    expect(toShortcut({ ...none, key: 'k', ctrlKey: true, isComposing: true }, place)).toBe(null)
  })
})

it('a letter of a page is heard alone, and not where it is switched off', () => {
  const isExport = (more: object, at = place) =>
    isPageKey({ ...none, key: 'e', target: null, ...more }, 'e', {
      isApple: () => at.isApple,
      areSingleKeysOn: () => at.areSingleKeysOn,
      isWrittenInto: () => at.isWriting,
    })
  expect(isExport({})).toBe(true)
  expect(isExport({ key: 'E' })).toBe(true)
  for (const more of [{ key: 'f' }, { ctrlKey: true }, { shiftKey: true }, { isComposing: true }]) {
    expect(isExport(more)).toBe(false)
  }
  expect(isExport({}, { ...place, areSingleKeysOn: false })).toBe(false)
})
