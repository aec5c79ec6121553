import { followPointer } from '#components/ui/follow-pointer.ts'
import { isWhole, type Shares, toSpanStyles } from './shares.ts'
import {
  type Choice,
  dragTo,
  type Grip,
  isSameChoice,
  type SpanEnd,
  type SpanModel,
  stepTo,
  toBar,
  toChosenShares,
  toGrid,
} from './span-selection.ts'

type GestureTarget = {
  read: () => SpanModel
  setPointed: (bar: number | null) => void
  setChoice: (choice: Choice | null) => void
}

const ENDS: readonly SpanEnd[] = ['begin', 'end']

/** Movement paints the track directly; the model changes only on release. */
export function createGestures(
  track: HTMLElement,
  { read, setPointed, setChoice }: GestureTarget,
): SpanWatch {
  const paintChosen = () => {
    const { chosen, ends } = read()
    paintSpan(track, chosen)
    for (const which of ENDS) writeEnd(track, which, ends?.texts[which])
  }
  return {
    read,
    point: setPointed,
    show: (choice) => {
      setChoice(choice)
      if (!choice) return paintChosen()
      const model = read()
      paintSpan(track, toChosenShares(choice, toGrid(model)))
      if (choice.of === 'bars') return
      for (const which of ENDS) {
        const isMoved = choice.moved === which || choice.moved === 'both'
        if (isMoved) writeEnd(track, which, model.ends?.toText(which, choice[which]))
      }
    },
    choose: (choice) => {
      setChoice(null)
      const model = read()
      if (choice.of === 'bars') model.pickBars(choice.first, choice.last)
      else model.ends?.moveTo(choice)
      // If the choice equals the current one, nothing renders, so the track is repainted.
      requestAnimationFrame(paintChosen)
    },
  }
}

/** Pixels; a longer movement is a drag. */
const SLACK_PX = 4

type SpanWatch = {
  read: () => SpanModel
  point: (bar: number | null) => void
  /** Null if canceled. */
  show: (choice: Choice | null) => void
  choose: (choice: Choice) => void
}

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
    // Ignores the second click of a double click, which clears.
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

function startDrag(track: HTMLElement, { event: press, grip, watch, until }: Start): void {
  let choice: Choice | null = null
  let frame = 0
  const step = (event: PointerEvent) => {
    const next = dragTo(grip, toShare(track, event), toGrid(watch.read()))
    if (isSameChoice(next, choice)) return
    choice = next
    watch.show(next)
  }
  const stop = followPointer(press, {
    // A press on the rail moves the nearer knob.
    slackPx: toPart(press) === 'rail' ? 0 : SLACK_PX,
    holder: track,
    onMove: (event) => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => step(event))
    },
    onEnd: (event) => {
      cancelAnimationFrame(frame)
      if (!event) return watch.show(null)
      step(event)
      if (choice) watch.choose(choice)
    },
  })
  until.addEventListener('abort', stop)
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

const toPart = ({ target }: MouseEvent): string | null =>
  (target instanceof Element ? target.closest<HTMLElement>('[data-span]') : null)?.dataset.span ??
  null

const isBelow = ({ target }: MouseEvent): boolean =>
  target instanceof Element && target.closest('[data-span=rail], [data-knob]') !== null

const toShare = (track: HTMLElement, { clientX }: MouseEvent): number => {
  const { left, width } = track.getBoundingClientRect()
  return width === 0 ? 0 : (clientX - left) / width
}

const PAUSE_MS = 250

type EndChoice = Extract<Choice, { of: 'stops' }>

export function watchKeys(
  track: HTMLElement,
  { read, show, choose }: SpanWatch,
  signal: AbortSignal,
): void {
  let waiting: EndChoice | null = null
  /** The next key continues from this choice until the page has rendered it. */
  let last: { choice: EndChoice; model: SpanModel } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const settle = () => {
    clearTimeout(timer)
    const choice = waiting
    waiting = null
    if (!choice) return
    last = { choice, model: read() }
    choose(choice)
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
      const undrawn = last?.model === read() ? last.choice : null
      const next = toNext(which, event, waiting ?? undrawn)
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

const toStep = (which: SpanEnd, { key, shiftKey }: KeyboardEvent) =>
  key === 'Delete' || key === 'Backspace'
    ? { key: which === 'begin' ? 'Home' : 'End', shiftKey }
    : { key, shiftKey }

function toEnd({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): SpanEnd | null {
  if (ctrlKey || metaKey || altKey || !(target instanceof HTMLElement)) return null
  const part = target.dataset.span
  return part === 'begin' || part === 'end' ? part : null
}

function paintSpan(track: HTMLElement, shares: Shares): void {
  const styles: Readonly<Record<string, Readonly<Record<string, string>>>> = toSpanStyles(shares)
  for (const part of track.querySelectorAll<HTMLElement>('[data-span]')) {
    for (const [name, value] of Object.entries(styles[part.dataset.span ?? ''] ?? {})) {
      part.style.setProperty(name, value)
    }
  }
}

function writeEnd(track: HTMLElement, which: SpanEnd, text?: string): void {
  if (text !== undefined) {
    track.querySelector(`[role=slider][data-span=${which}]`)?.setAttribute('aria-valuetext', text)
  }
}
