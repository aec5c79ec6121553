import { type Choice, type SpanEnd, stepTo, toChosenShares } from './span-drag.ts'
import { toGrid } from './span-model.ts'
import type { SpanWatch } from './span-pointer.ts'

/** How long after the last key what was moved is chosen. */
const PAUSE_MS = 250

type EndChoice = Extract<Choice, { of: 'stops' }>

/** Listens to the keys of a track's ends, until `signal` says so: arrows, Page, Home, End, Delete; Esc goes back. */
export function watchKeys(
  track: HTMLElement,
  { read, show, choose }: SpanWatch,
  signal: AbortSignal,
): void {
  let waiting: EndChoice | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const settle = () => {
    clearTimeout(timer)
    const choice = waiting
    waiting = null
    if (choice) choose(choice)
  }
  const giveUp = () => {
    clearTimeout(timer)
    waiting = null
    show(null)
  }
  const onKey = (event: KeyboardEvent) => {
    const which = toEnd(event)
    if (!which) return
    if (event.key === 'Escape' && waiting) giveUp()
    else {
      const next = toNext(which, event, waiting)
      if (!next) return
      waiting = next
      show(next)
      clearTimeout(timer)
      timer = setTimeout(settle, PAUSE_MS)
    }
    event.preventDefault()
    event.stopPropagation()
  }
  const toNext = (which: SpanEnd, event: KeyboardEvent, from: EndChoice | null) => {
    const grid = toGrid(read())
    const chosen = from ? toChosenShares(from, grid) : grid.chosen
    const next = stepTo(which, toStep(which, event), { ...grid, chosen })
    if (next?.of !== 'stops') return null
    return from && from.moved !== next.moved ? { ...next, moved: 'both' as const } : next
  }
  track.addEventListener('keydown', onKey, { signal })
  track.addEventListener('focusout', settle, { signal })
  signal.addEventListener('abort', () => clearTimeout(timer))
}

/** Delete takes an end away: it goes as far as it can. */
const toStep = (which: SpanEnd, { key, shiftKey }: KeyboardEvent) =>
  key === 'Delete' || key === 'Backspace'
    ? { key: which === 'begin' ? 'Home' : 'End', shiftKey }
    : { key, shiftKey }

function toEnd({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): SpanEnd | null {
  if (ctrlKey || metaKey || altKey || !(target instanceof HTMLElement)) return null
  const part = target.dataset.span
  return part === 'begin' || part === 'end' ? part : null
}
