'use client'

import { type ReactNode, type ToggleEvent, useId, useRef } from 'react'
import { classNames } from './class-names.ts'

type HelpPopoverProps = {
  /** What the rule is about, the button's name: "How consensus is ranked". */
  name: string
  /** The rule and its source. */
  children: ReactNode
  /** Places the button, which is 24 px square, beside what it is about. */
  className?: string
}

const WIDTH_PX = 340

/** A small button that opens the rule a figure follows. */
export function HelpPopover({ name, children, className }: HelpPopoverProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button
        ref={button}
        aria-haspopup="dialog"
        aria-label={name}
        className={classNames(
          'inline-flex size-6 shrink-0 items-center justify-center text-ink-3 hover:text-ink',
          className,
        )}
        popoverTarget={id}
        type="button"
      >
        <span
          aria-hidden
          className="flex size-3.5 items-center justify-center rounded-full border border-edge text-[0.5625rem] leading-none font-semibold"
        >
          ?
        </span>
      </button>
      <div
        aria-label={name}
        className="inset-auto m-0 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-md border border-line-2 bg-surface p-3 text-left text-sm font-normal tracking-normal whitespace-normal text-ink-2 [scrollbar-width:thin]"
        id={id}
        onBeforeToggle={(event) => placeWithRoom(button.current, { widthPx: WIDTH_PX }, event)}
        popover="auto"
        role="dialog"
        style={{ width: WIDTH_PX }}
      >
        {children}
      </div>
    </>
  )
}

const MARGIN_PX = 8
const GAP_PX = 4

type Beside = {
  widthPx: number
  /** Where its left edge is wanted (px), if not under the button's. */
  leftPx?: number | undefined
}

/**
 * Lays a popover of a width above or below the button that opens it, wherever there is more room, so that none of it
 * lies beyond the window.
 */
export function placeWithRoom(
  button: HTMLElement | null,
  { widthPx, leftPx }: Beside,
  { currentTarget: { style }, newState }: ToggleEvent<HTMLElement>,
) {
  const about = button?.getBoundingClientRect()
  if (!about || newState !== 'open') return
  const most = window.innerWidth - widthPx - MARGIN_PX
  const below = window.innerHeight - about.bottom
  const isAbove = about.top > below
  style.left = `${Math.max(MARGIN_PX, Math.min(leftPx ?? about.left, most))}px`
  style.top = isAbove ? 'auto' : `${about.bottom + GAP_PX}px`
  style.bottom = isAbove ? `${window.innerHeight - about.top + GAP_PX}px` : 'auto'
  style.maxHeight = `${Math.max(about.top, below) - GAP_PX - MARGIN_PX}px`
}
