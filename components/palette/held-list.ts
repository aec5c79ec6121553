import { type PointerEvent, useEffect, useRef, useState } from 'react'
import type { Row, Section } from './suggestions.ts'

/** So long after the pointer's last movement somebody may still be about to press. */
const REST_MS = 1000

type Held = { sections: readonly Section[]; text: string }

/**
 * The list as it stands while somebody points at it: answers that come late change no place under the pointer, neither
 * before it is pressed nor until it is let go. They are shown once it rests or leaves, or the text is another one.
 */
export function useHeldList(now: readonly Section[], text: string) {
  const [held, setHeld] = useState<Held | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isPressed = useRef(false)
  const at = useRef('')
  useEffect(() => () => clearTimeout(timer.current), [])
  const isHeld = held !== null && held.text === text
  const sections = isHeld ? toHeld(held.sections, now) : now

  const release = () => {
    clearTimeout(timer.current)
    isPressed.current = false
    setHeld(null)
  }
  const hold = () => {
    clearTimeout(timer.current)
    if (!isHeld) setHeld({ sections: now, text })
    if (!isPressed.current) timer.current = setTimeout(release, REST_MS)
  }
  return {
    sections,
    isHeld,
    release,
    handlers: {
      onPointerMove: ({ screenX, screenY }: PointerEvent) => {
        // A list that comes under a pointer tells of movement too.
        const place = `${screenX} ${screenY}`
        const hasMoved = at.current !== '' && at.current !== place
        at.current = place
        if (hasMoved) hold()
      },
      onPointerDown: () => {
        isPressed.current = true
        hold()
      },
      onPointerUp: () => {
        isPressed.current = false
        hold()
      },
      onPointerCancel: release,
      onPointerLeave: release,
    },
  }
}

/** The same rows in the same places, each as it is known now; one that is there no more cannot be chosen. */
export function toHeld(held: readonly Section[], now: readonly Section[]): Section[] {
  const known = new Map(now.flatMap(({ rows }) => rows.map((row) => [row.id, row] as const)))
  const toRow = (row: Row): Row => known.get(row.id) ?? { ...row, isOld: true }
  return held.map((section) => {
    const rows = section.rows.map(toRow)
    return { ...section, rows, isOld: section.isOld === true && rows.some(({ isOld }) => isOld) }
  })
}
