'use client'

import { useQuery } from '@tanstack/react-query'
import {
  type KeyboardEvent as ReactKeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import {
  EASTERN,
  formatInZone,
  formatRelative,
  toClock,
  toZonedText,
  toZoneName,
} from '#components/format/instants.ts'
import { CopyButton } from '#components/ui/copy.tsx'
import { isInSight, toCardPlace } from '#components/ui/overlays.tsx'
import { toOwnZone, useZone } from '#components/ui/time-zone.ts'
import { useLocalZone, useNow } from '#components/ui/use-browser.ts'
import { statusSummaryOptions } from '#lib/client/query-options.ts'
import { INSTANT, toSeconds } from './instant-element.ts'

const OPEN_MS: Record<InstantCause['how'], number> = { hover: 300, focus: 150, press: 0, key: 0 }
const CLOSE_MS = 250

type OpenCard = InstantCause & {
  from: HTMLElement | null
}

export function InstantCardDriver({ first }: { first: Event }) {
  const [shown, setShown] = useState<OpenCard | null>(null)
  const card = useRef<HTMLDivElement>(null)
  const { later, never } = useTimer()
  const hasFocus = useCallback(() => card.current?.contains(document.activeElement) ?? false, [])
  const open = useCallback(
    (cause: InstantCause) => {
      const focused = document.activeElement instanceof HTMLElement ? document.activeElement : null
      const isInside = hasFocus()
      later(OPEN_MS[cause.how], () =>
        setShown((last) => ({ ...cause, from: isInside ? (last?.from ?? null) : focused })),
      )
    },
    [later, hasFocus],
  )
  const close = useCallback(() => {
    never()
    if (hasFocus()) shown?.from?.focus()
    setShown(null)
  }, [never, hasFocus, shown])

  useEffect(() => {
    const cause = toInstantCause(first)
    if (cause) open(cause)
  }, [first, open])

  useEffect(() => {
    const onEvent = (event: Event) => {
      const { type, target } = event
      const isIn = (part: Element | null | undefined) =>
        target instanceof Node && (part?.contains(target) ?? false)
      const about = shown?.time.closest('[data-instant]') ?? shown?.time
      const isHovered = shown?.how === 'hover'
      const cause = toInstantCause(event, shown?.time)
      if (cause?.how === 'key') event.preventDefault()
      if (cause && (cause.how === 'press' || cause.how === 'key')) return open(cause)
      if (shown && (isIn(card.current) || isIn(about) || cause?.time === shown.time)) {
        // The row takes this click: do not cover what it opens.
        if (type === 'click' && !isIn(card.current)) close()
        else if (type !== 'keydown') never()
        return
      }
      if (type === 'pointerover') {
        if (shown && !isHovered) return
        if (cause) return open(cause)
        return shown ? later(CLOSE_MS, close) : never()
      }
      if (cause) return open(cause)
      if (type === 'click' || (type === 'focusin' && !isHovered)) close()
    }
    for (const name of CAUSES) document.addEventListener(name, onEvent)
    return () => {
      for (const name of CAUSES) document.removeEventListener(name, onEvent)
    }
  }, [shown, open, close, later, never])

  if (!shown?.time.isConnected) return null
  return createPortal(
    <InstantCard
      key={toSeconds(shown.time)}
      ref={card}
      time={shown.time}
      from={shown.from}
      takesFocus={shown.how === 'key'}
      onClose={close}
    />,
    // Content outside an open modal dialog is inert.
    shown.time.closest('dialog') ?? document.body,
  )
}

type InstantCause = { time: HTMLElement; how: 'hover' | 'focus' | 'press' | 'key' }

const ROW = 'tr, [role="row"]'
const FIELDS = 'input:not([type="checkbox"]), select, textarea, [contenteditable]'

const CAUSES = ['pointerover', 'focusin', 'click', 'keydown'] as const

function toInstantCause(event: Event, shown: HTMLElement | null = null): InstantCause | null {
  const { target } = event
  if (!(target instanceof Element)) return null
  if (event instanceof KeyboardEvent) return toKeyCause(event, target, shown)
  const button = target.closest<HTMLElement>('[data-instant]')
  const time = button?.querySelector<HTMLElement>(INSTANT) ?? target.closest<HTMLElement>(INSTANT)
  if (!time || (time.matches('td') && time !== target)) return null
  if (event.type === 'focusin') {
    return button?.matches(':focus-visible') ? { time, how: 'focus' } : null
  }
  if (!(event instanceof PointerEvent)) return null
  if (event.type === 'pointerover') {
    // A touch may be a scroll.
    return event.pointerType === 'touch' ? null : { time, how: 'hover' }
  }
  // `detail` 0 is a click by keyboard.
  if (button) return { time, how: event.detail === 0 ? 'key' : 'press' }
  return isTaken(time) ? null : { time, how: 'press' }
}

const isTaken = (time: Element) => time.closest(ROW)?.hasAttribute('tabindex') ?? false

function toKeyCause(event: KeyboardEvent, target: Element, shown: HTMLElement | null) {
  const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event
  if (key.toLowerCase() !== 't' || ctrlKey || metaKey || altKey || defaultPrevented) return null
  if (target.closest(FIELDS)) return null
  const row = (shown ?? target).closest(ROW)
  const times = [...(row?.querySelectorAll<HTMLElement>(INSTANT) ?? [])]
  const at = shown ? times.indexOf(shown) : -1
  const time = times[(at + 1) % times.length]
  return time ? ({ time, how: 'key' } as const) : null
}

type InstantCardProps = {
  ref: RefObject<HTMLDivElement | null>
  time: HTMLElement
  from: HTMLElement | null
  takesFocus: boolean
  onClose: () => void
}

function InstantCard({ ref, time, from, takesFocus, onClose }: InstantCardProps) {
  const zone = useZone()
  const own = toOwnZone(useLocalZone() ?? undefined)
  const now = useServerNow()
  const seconds = toSeconds(time)
  useCardPlace({ card: ref, time, onGone: onClose })
  useEscape(onClose)
  useEffect(() => {
    if (takesFocus) ref.current?.querySelector('button')?.focus()
  }, [takesFocus, ref])
  return (
    <div
      ref={ref}
      popover="manual"
      role="dialog"
      aria-label={`${formatInZone(seconds, zone)} ${toZoneName(zone)}`}
      onKeyDown={(event) => leaveByTab(event, from)}
      className="fixed inset-auto m-0 w-[min(21.5rem,calc(100vw-16px))] rounded-md border border-line-2 bg-surface p-3 text-base text-ink"
    >
      <p className="pb-1.5 font-semibold">
        {formatInZone(seconds, zone)} <span className="font-normal">{toZoneName(zone)}</span>
      </p>
      <dl className="grid grid-cols-[minmax(3.5rem,5.5rem)_minmax(0,1fr)_auto] items-baseline gap-x-2.5">
        {toCardRows({ seconds, zone, own, now }).map(({ name, text }) => (
          <div key={name} className="col-span-3 grid grid-cols-subgrid items-baseline border-t">
            <dt className="py-1 text-sm wrap-break-word text-ink-3">{name}</dt>
            <dd className="text-sm whitespace-nowrap">{text}</dd>
            <dd>
              <CopyButton text={text} what={name} className="-mr-2" />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** Seconds since 1970 by the server's clock; null if unknown. */
function useServerNow(): number | null {
  const heard = useQuery(statusSummaryOptions()).data?.now
  const now = useNow(heard ?? 0)
  return heard === undefined ? null : now
}

/** Listens before the card is seen: a passive effect could miss an early key. */
function useEscape(onClose: () => void) {
  useLayoutEffect(() => {
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      onClose()
    }
    window.addEventListener('keydown', close, { capture: true })
    return () => window.removeEventListener('keydown', close, { capture: true })
  }, [onClose])
}

/** Last in the DOM, so Tab returns to its time. */
function leaveByTab(event: ReactKeyboardEvent<HTMLDivElement>, from: HTMLElement | null) {
  if (event.key !== 'Tab' || !from) return
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const end = event.shiftKey ? buttons.at(0) : buttons.at(-1)
  if (event.target !== end) return
  if (event.shiftKey) event.preventDefault()
  from.focus()
}

type CardRow = { name: string; text: string }

type CardTime = {
  /** Seconds since 1970. */
  seconds: number
  zone: string
  /** Null if unknown. */
  own: string | null
  /** Null if unknown. */
  now: number | null
}

const UTC = 'UTC'

export function toCardRows({ seconds, zone, own, now }: CardTime): CardRow[] {
  const zones = [...new Set([UTC, ...(own === null ? [] : [own]), EASTERN, zone])]
  return [
    ...zones.map((name) => ({
      name: toName(name, own),
      text: `${toZonedText(seconds, name, 'second')}${toOffsetText(seconds, name)}`,
    })),
    ...(now === null ? [] : [{ name: 'Relative', text: formatRelative(seconds, now) }]),
    { name: 'Epoch', text: String(seconds) },
  ]
}

function toName(zone: string, own: string | null): string {
  const name = zone === EASTERN ? 'Eastern' : toZoneName(zone)
  return zone === own ? `Local, ${name}` : name
}

const MINUTE = 60
const HOUR = 60 * MINUTE

/** RFC 3339: `Z`, `+01:00`. */
export function toOffsetText(seconds: number, zone: string): string {
  const offset = toClock(seconds, zone) - seconds
  if (offset === 0) return 'Z'
  const size = Math.abs(offset)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const rest = size % MINUTE === 0 ? '' : `:${two(size % MINUTE)}`
  return `${offset < 0 ? '-' : '+'}${two(size / HOUR)}:${two((size % HOUR) / MINUTE)}${rest}`
}

const STILL_THERE_MS = 400

type CardPlacement = {
  card: RefObject<HTMLElement | null>
  time: HTMLElement
  /** Must be stable, or the card is positioned again. */
  onGone: () => void
}

function useCardPlace({ card, time, onGone }: CardPlacement) {
  useLayoutEffect(() => {
    const box = card.current
    if (!box) return
    if (!box.matches(':popover-open')) box.showPopover()
    place(box, time)
  }, [card, time])

  useEffect(() => {
    const follow = () => {
      if (!card.current) return
      if (isInSight(time.getBoundingClientRect(), window.innerHeight)) place(card.current, time)
      else onGone()
    }
    const shown = toSeconds(time)
    // Polled: removed rows fire no event.
    const timer = setInterval(() => {
      if (!time.isConnected || toSeconds(time) !== shown) onGone()
    }, STILL_THERE_MS)
    window.addEventListener('scroll', follow, { capture: true, passive: true })
    window.addEventListener('resize', follow)
    return () => {
      clearInterval(timer)
      window.removeEventListener('scroll', follow, { capture: true })
      window.removeEventListener('resize', follow)
    }
  }, [card, time, onGone])
}

function place(box: HTMLElement, time: HTMLElement) {
  const { left, top } = toCardPlace(time.getBoundingClientRect(), box.getBoundingClientRect(), {
    width: document.documentElement.clientWidth,
    height: window.innerHeight,
  })
  box.style.left = `${left}px`
  box.style.top = `${top}px`
}

function useTimer() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const never = useCallback(() => clearTimeout(timer.current), [])
  const later = useCallback((ms: number, act: () => void) => {
    clearTimeout(timer.current)
    if (ms === 0) act()
    else timer.current = setTimeout(act, ms)
  }, [])
  useEffect(() => never, [never])
  return { later, never }
}
