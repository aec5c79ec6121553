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

type Shown = {
  read: () => SpanModel
  setPointed: (bar: number | null) => void
  setChoice: (choice: Choice | null) => void
}

const ENDS: readonly SpanEnd[] = ['begin', 'end']

/** What pointer and keys do to a track: while they move, it is painted; the model hears of it when they let go. */
export function createWatch(track: HTMLElement, { read, setPointed, setChoice }: Shown): SpanWatch {
  /** As the filter has it. */
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
      // What was chosen may be what was there already: then nothing is drawn that would put it right.
      requestAnimationFrame(paintChosen)
    },
  }
}

/** Further than that, in pixels, is a drag and no click. */
const SLACK_PX = 4

type SpanWatch = {
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
  let choice: Choice | null = null
  let frame = 0
  const step = (event: PointerEvent) => {
    const next = dragTo(grip, toShare(track, event), toGrid(watch.read()))
    if (isSameChoice(next, choice)) return
    choice = next
    watch.show(next)
  }
  const stop = followPointer(press, {
    // A press beside the knobs is meant for the nearer one, wherever it is let go.
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
  /** The last choice and the model it was made in. The next key continues from it until the page has rendered it. */
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

/** Shows a span on a track without drawing anything anew: what is marked there is moved. */
function paintSpan(track: HTMLElement, shares: Shares): void {
  const styles: Readonly<Record<string, Readonly<Record<string, string>>>> = toSpanStyles(shares)
  for (const part of track.querySelectorAll<HTMLElement>('[data-span]')) {
    for (const [name, value] of Object.entries(styles[part.dataset.span ?? ''] ?? {})) {
      part.style.setProperty(name, value)
    }
  }
}

/** Says where an end is while it moves. */
function writeEnd(track: HTMLElement, which: SpanEnd, text?: string): void {
  if (text !== undefined) {
    track.querySelector(`[role=slider][data-span=${which}]`)?.setAttribute('aria-valuetext', text)
  }
}
