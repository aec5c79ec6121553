import type { Row } from './row.ts'
import { isComposing } from './shortcut.ts'

const LEAP = 6

type Keys = Pick<
  KeyboardEvent,
  'key' | 'keyCode' | 'isComposing' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'
>

/** `mark` another row, or choose one; `choose` null is the text itself. */
export type PaletteKey = { mark: string } | { choose: Row | null; inNewTab: boolean }

type PaletteRows = {
  rows: readonly Row[]
  marked: Row | undefined
  /** A word stands at the caret, which Tab can complete. */
  isWord: boolean
}

/** What a key of the palette's field does; null for keys that belong to the field, the dialog or an input method. */
export function toPaletteKey(
  pressed: Keys,
  { rows, marked, isWord }: PaletteRows,
): PaletteKey | null {
  if (isComposing(pressed) || pressed.altKey) return null
  const at = marked ? rows.indexOf(marked) : -1
  const mark = (index: number): PaletteKey | null => {
    const row = rows[index]
    return row ? { mark: row.id } : null
  }
  switch (pressed.key) {
    case 'ArrowDown':
      return mark(at + 1 < rows.length ? at + 1 : 0)
    case 'ArrowUp':
      return mark(at > 0 ? at - 1 : rows.length - 1)
    case 'PageDown':
      return mark(Math.min(at + LEAP, rows.length - 1))
    case 'PageUp':
      return mark(Math.max(at - LEAP, 0))
    case 'Enter':
      return { choose: marked ?? null, inNewTab: pressed.ctrlKey || pressed.metaKey }
    case 'Tab': {
      const row = pressed.shiftKey || !isWord ? undefined : toCompletion(rows, marked)
      return row ? { choose: row, inNewTab: false } : null
    }
    default:
      return null
  }
}

/** The marked row, where it writes into the field, or the first that does. */
const toCompletion = (rows: readonly Row[], marked: Row | undefined): Row | undefined =>
  marked?.action.do === 'write' ? marked : rows.find(({ action }) => action.do === 'write')
