import { isWhole } from './shares.ts'
import { type Choice, dragTo, type Grip, isSameChoice, toBar } from './span-drag.ts'
import { type SpanModel, toGrid } from './span-model.ts'

/** Further than that, in pixels, is a drag and no click. */
const SLACK_PX = 4

export type SpanWatch = {
  read: () => SpanModel
  /** The pointer is over a bar, or over none. */
  point: (bar: number | null) => void
  /** What would be chosen if the drag ended now. Null: it was given up, and what was chosen still is. */
  show: (choice: Choice | null) => void
  /** It was let go. */
  choose: (choice: Choice) => void
}

/** Listens to pointers on a track, until `signal` says so. */
export function watchPointer(track: HTMLElement, watch: SpanWatch, signal: AbortSignal): void {
  const down = (event: PointerEvent) => {
    if (!event.isPrimary || event.button !== 0 || toPart(event) === 'clear') return
    const grip = toGrip(event, track, watch.read())
    watch.point(null)
    startDrag(track, { event, grip, watch, until: signal })
  }
  const move = (event: PointerEvent) => {
    if (event.pointerType === 'touch' || event.buttons !== 0) return
    const isOnBars = toPart(event) === null
    watch.point(isOnBars ? toBar(toShare(track, event), watch.read().bars) : null)
  }
  const leave = () => watch.point(null)
  const clear = () => watch.read().clear?.()
  const click = (event: MouseEvent) => {
    const part = toPart(event)
    // The second click of a double one clears. A handle over a bar lets a click through: only a drag moves it.
    if (event.detail > 1 || isBelow(event) || part === 'clear') return
    const { target } = event
    const bar = target instanceof Element ? target.closest<HTMLElement>('[data-bar]') : null
    const { bars, pickBar } = watch.read()
    pickBar(bar ? Number(bar.dataset.bar) : toBar(toShare(track, event), bars))
  }
  track.addEventListener('pointerdown', down, { signal })
  track.addEventListener('pointermove', move, { signal })
  track.addEventListener('pointerleave', leave, { signal })
  track.addEventListener('click', click, { signal })
  track.addEventListener('dblclick', clear, { signal })
}

type Start = { event: PointerEvent; grip: Grip; watch: SpanWatch; until: AbortSignal }

/** One drag, from the press on. It takes at most one step a frame; Esc gives it up, as does a finger that scrolls. */
function startDrag(track: HTMLElement, { event: press, grip, watch, until }: Start): void {
  const listening = new AbortController()
  const signal = AbortSignal.any([listening.signal, until])
  // A press beside the knobs is meant for the nearer one, wherever it is let go.
  let isMoving = toPart(press) === 'rail'
  let choice: Choice | null = null
  let frame = 0
  const step = (event: PointerEvent) => {
    const next = dragTo(grip, toShare(track, event), toGrid(watch.read()))
    if (isSameChoice(next, choice)) return
    choice = next
    watch.show(next)
  }
  const end = () => {
    cancelAnimationFrame(frame)
    listening.abort()
    if (isMoving) swallowClick(track)
  }
  const move = (event: PointerEvent) => {
    if (event.pointerId !== press.pointerId) return
    if (!isMoving && Math.abs(event.clientX - press.clientX) < SLACK_PX) return
    isMoving = true
    track.setPointerCapture(press.pointerId)
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => step(event))
  }
  const up = (event: PointerEvent) => {
    if (event.pointerId !== press.pointerId) return
    if (isMoving) step(event)
    end()
    if (choice) watch.choose(choice)
  }
  const giveUp = () => {
    end()
    watch.show(null)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    // The dialog that the track may stand in is not meant.
    event.preventDefault()
    event.stopPropagation()
    giveUp()
  }
  track.addEventListener('pointermove', move, { signal })
  track.addEventListener('pointerup', up, { signal })
  track.addEventListener('pointercancel', giveUp, { signal })
  window.addEventListener('keydown', onKey, { signal, capture: true })
}

/** The click that follows a drag picks no bar. */
function swallowClick(track: HTMLElement): void {
  const listening = new AbortController()
  const swallow = (event: MouseEvent) => event.stopImmediatePropagation()
  track.addEventListener('click', swallow, { capture: true, signal: listening.signal })
  // It comes in the same turn as the release, or not at all.
  const done = () => setTimeout(() => listening.abort())
  window.addEventListener('pointerup', done, { once: true })
  window.addEventListener('pointerdown', done, { once: true })
}

function toGrip(event: PointerEvent, track: HTMLElement, model: SpanModel): Grip {
  const at = toShare(track, event)
  const part = toPart(event)
  if (part === 'begin' || part === 'end') return { of: part }
  const { begin, end } = model.chosen
  if (part === 'rail') return { of: at - begin < end - at ? 'begin' : 'end' }
  const isInside = model.ends !== undefined && !isWhole(model.chosen) && at > begin && at < end
  return isInside ? { of: 'both', at } : { of: 'bars', at }
}

/** What is marked under the pointer: an end, the rail that the ends run on; null where bars are. */
const toPart = ({ target }: MouseEvent): string | null =>
  (target instanceof Element ? target.closest<HTMLElement>('[data-span]') : null)?.dataset.span ??
  null

/** On the rail that knobs run on: a click there is meant for a knob. */
const isBelow = ({ target }: MouseEvent): boolean =>
  target instanceof Element && target.closest('[data-span=rail], [data-knob]') !== null

const toShare = (track: HTMLElement, { clientX }: MouseEvent): number => {
  const { left, width } = track.getBoundingClientRect()
  return width === 0 ? 0 : (clientX - left) / width
}
