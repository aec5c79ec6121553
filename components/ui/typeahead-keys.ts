type State = { open: boolean; active: number; count: number }

/** What a key does: the new state, and whether the page must not act on it too. */
type Move = {
  open: boolean
  active: number
  handled: boolean
  choose?: boolean
  clear?: boolean
}

/**
 * The keys of a combobox whose list stands below its field. `active` is -1 where the field itself is. Null for keys
 * that belong to the field.
 */
export function moveActive(key: string, { open, active, count }: State): Move | null {
  const to = (index: number): Move => ({ open: true, active: index, handled: true })
  switch (key) {
    case 'ArrowDown':
      return to(active + 1 < count ? active + 1 : Math.min(0, count - 1))
    case 'ArrowUp':
      return to(active > 0 ? active - 1 : count - 1)
    case 'Enter':
      if (!open || active < 0) return null
      return { open: true, active: -1, handled: true, choose: true }
    case 'Escape':
      // The first Escape closes the list, the second empties the field.
      return { open: false, active: -1, handled: open, clear: !open }
    default:
      return null
  }
}
