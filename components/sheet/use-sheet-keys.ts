'use client'

import { type RefObject, useEffect, useEffectEvent } from 'react'
import { areSingleKeysOn } from '#components/palette/single-keys.ts'
import type { Direction } from './use-steps.ts'

type SheetKeys = {
  /** The rating that the sheet shows. */
  open: number
  onClose: () => void
  onStep: (direction: Direction) => void
}

/** Anywhere on the page, and those that would move a cursor or a scale elsewhere only within the sheet. */
const STEPS: Readonly<Record<string, Direction>> = { j: 1, k: -1 }
const STEPS_WITHIN: Readonly<Record<string, Direction>> = { ArrowRight: 1, ArrowLeft: -1 }

/** What takes keys for itself: fields, menus that are open, and their like. */
const TAKES_KEYS =
  'input, textarea, select, [contenteditable], [role=combobox], [role=listbox], [role=slider], [role=menu], [popover], details[open]'

/**
 * Esc closes the sheet; J and K, and within it the arrows, step to the next and the previous rating. Enter in the row
 * that is open already leads into the sheet.
 */
export function useSheetKeys(sheet: RefObject<HTMLElement | null>, keys: SheetKeys) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    const target = event.target instanceof Element ? event.target : document.body
    const isWithin = sheet.current?.contains(target) ?? false
    const taker = target.closest(TAKES_KEYS)
    // The sheet's own raw JSON is a `details` too, which takes no keys.
    if (taker && !(isWithin && taker.matches('details'))) return
    const modal = document.querySelector('dialog:modal')
    if (modal && modal !== sheet.current) return
    const letter = areSingleKeysOn() ? STEPS[event.key.toLowerCase()] : undefined
    const step = letter ?? (isWithin && STEPS_WITHIN[event.key])
    if (step) {
      event.preventDefault()
      keys.onStep(step)
    } else if (event.key === 'Escape' && !modal) {
      keys.onClose()
    }
  })
  // Before the row itself acts, and opens another rating.
  const onKeyFirst = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event
    if (event.key !== 'Enter' || !(target instanceof HTMLTableRowElement)) return
    if (target.dataset.rating !== String(keys.open)) return
    sheet.current?.querySelector<HTMLElement>('[data-sheet-start]')?.focus()
  })
  useEffect(() => {
    window.addEventListener('keydown', onKeyFirst, true)
    window.addEventListener('keydown', onKeyDown)
    return () => {
      window.removeEventListener('keydown', onKeyFirst, true)
      window.removeEventListener('keydown', onKeyDown)
    }
  }, [])
}
