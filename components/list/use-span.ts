'use client'

import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { useEscape } from '#components/ui/use-browser.ts'
import { isWhole } from './shares.ts'
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

type Held = { choice: Choice; by: 'pointer' | 'keys' }
type Press = { x: number; grip: Grip; isMoving: boolean; isOver: boolean }

/** Pixels; a longer movement is a drag. */
const SLACK_PX = 4
const PAUSE_MS = 250

/** `choice`: applied when the pointer is released or the keys rest. Escape discards it. */
export function useSpan(model: SpanModel) {
  const [held, setHeld] = useState<Held | null>(null)
  const [pointed, setPointed] = useState<number | null>(null)
  const press = useRef<Press>(null)
  useEscape(held !== null, () => {
    if (press.current) press.current.isOver = true
    setHeld(null)
  })
  const choose = (choice: Choice) => {
    setHeld(null)
    if (choice.of === 'bars') model.pickBars(choice.first, choice.last)
    else model.ends?.moveTo(choice)
  }
  const settle = () => {
    if (held?.by === 'keys') choose(held.choice)
  }
  const onPause = useEffectEvent(settle)
  useEffect(() => {
    if (held?.by !== 'keys') return
    const timer = setTimeout(() => onPause(), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [held])
  const dragged = (event: PointerEvent, grip: Grip) => dragTo(grip, toShare(event), toGrid(model))
  const track = {
    onPointerDown: (event: PointerEvent) => {
      const part = toPart(event)
      if (!event.isPrimary || event.button !== 0 || part === 'clear') return
      // A press on the rail moves the nearer knob.
      const isMoving = part === 'rail'
      press.current = { x: event.clientX, grip: toGrip(event, model), isMoving, isOver: false }
      setPointed(null)
    },
    onPointerMove: (event: PointerEvent) => {
      const { buttons, clientX, currentTarget, pointerId, pointerType } = event
      const now = press.current
      if (buttons === 0 && pointerType !== 'touch') {
        setPointed(toPart(event) === null ? toBar(toShare(event), model.bars) : null)
      }
      if (buttons === 0 || !now || now.isOver) return
      if (!now.isMoving && Math.abs(clientX - now.x) < SLACK_PX) return
      now.isMoving = true
      currentTarget.setPointerCapture(pointerId)
      const choice = dragged(event, now.grip)
      setHeld((last) =>
        isSameChoice(last?.choice ?? null, choice) ? last : { choice, by: 'pointer' },
      )
    },
    onPointerUp: (event: PointerEvent) => {
      const now = press.current
      if (!now || now.isOver) return
      now.isOver = true
      if (now.isMoving) choose(dragged(event, now.grip))
    },
    onPointerCancel: () => {
      press.current = null
      setHeld(null)
    },
    onPointerLeave: () => setPointed(null),
    onClick: (event: MouseEvent) => {
      const isDrag = press.current?.isMoving
      // The second click of a double click clears.
      if (isDrag || event.detail > 1 || isBelow(event) || toPart(event) === 'clear') return
      const { target } = event
      const bar = target instanceof Element ? target.closest<HTMLElement>('[data-bar]') : null
      model.pickBar(bar ? Number(bar.dataset.bar) : toBar(toShare(event), model.bars))
    },
    onDoubleClick: () => model.clear?.(),
  }
  const onEndKey = (which: SpanEnd, event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const grid = toGrid(model)
    const last = held?.choice
    const chosen = last ? toChosenShares(last, grid) : grid.chosen
    const next = stepTo(which, toStep(which, event), { ...grid, chosen })
    if (next?.of !== 'stops') return
    event.preventDefault()
    event.stopPropagation()
    const isOther = last?.of === 'stops' && last.moved !== next.moved
    setHeld({ choice: isOther ? { ...next, moved: 'both' } : next, by: 'keys' })
  }
  return { choice: held?.choice ?? null, pointed, track, onEndKey, settle }
}

function toGrip(event: PointerEvent, model: SpanModel): Grip {
  const at = toShare(event)
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

const toShare = ({ currentTarget, clientX }: MouseEvent): number => {
  const { left, width } = currentTarget.getBoundingClientRect()
  return width === 0 ? 0 : (clientX - left) / width
}

const toStep = (which: SpanEnd, { key, shiftKey }: KeyboardEvent) =>
  key === 'Delete' || key === 'Backspace'
    ? { key: which === 'begin' ? 'Home' : 'End', shiftKey }
    : { key, shiftKey }
