/** What asks for a card: the time that it is about, and how the reader pointed at it. */
export type InstantCause = { time: HTMLElement; how: 'hover' | 'focus' | 'press' | 'key' }

const TIME = 'time[datetime]'
const ROW = 'tr, [role="row"]'
const FIELDS = 'input:not([type="checkbox"]), select, textarea, [contenteditable]'

/** The events that may ask for a card, or for its end. */
export const CAUSES = ['pointerover', 'focusin', 'click', 'keydown'] as const

/** What an event asks for, or null. `shown` is the time whose card is open: `t` moves on from it within its row. */
export function toInstantCause(
  event: Event,
  shown: HTMLElement | null = null,
): InstantCause | null {
  const { target } = event
  if (!(target instanceof Element)) return null
  if (event instanceof KeyboardEvent) return toKeyCause(event, target, shown)
  const button = target.closest<HTMLElement>('[data-instant]')
  const time = button?.querySelector<HTMLElement>(TIME) ?? target.closest<HTMLElement>(TIME)
  if (!time) return null
  if (event.type === 'focusin') {
    return button?.matches(':focus-visible') ? { time, how: 'focus' } : null
  }
  if (!(event instanceof PointerEvent)) return null
  if (event.type === 'pointerover') {
    // A finger that passes over a time scrolls the page.
    return event.pointerType === 'touch' ? null : { time, how: 'hover' }
  }
  // A click that no pointer made is a key's. One on a plain time is the row's, where the row takes it.
  if (button) return { time, how: event.detail === 0 ? 'key' : 'press' }
  return isTaken(time) ? null : { time, how: 'press' }
}

/** Does something happen already when the row around a time is clicked? */
const isTaken = (time: Element) => time.closest(ROW)?.hasAttribute('tabindex') ?? false

function toKeyCause(event: KeyboardEvent, target: Element, shown: HTMLElement | null) {
  const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event
  if (key.toLowerCase() !== 't' || ctrlKey || metaKey || altKey || defaultPrevented) return null
  if (target.closest(FIELDS)) return null
  const row = (shown ?? target).closest(ROW)
  const times = [...(row?.querySelectorAll<HTMLElement>(TIME) ?? [])]
  const at = shown ? times.indexOf(shown) : -1
  const time = times[(at + 1) % times.length]
  return time ? ({ time, how: 'key' } as const) : null
}
