'use client'

import { type ReactNode, useId, useRef } from 'react'
import { classNames } from './class-names.ts'
import { placeWithRoom } from './place-with-room.ts'

type RulePopoverProps = {
  /** What the rule is about, the button's name: "How consensus is ranked". */
  name: string
  /** The rule and its source. */
  children: ReactNode
  /** Places the button, which is 24 px square, beside what it is about. */
  className?: string
}

const WIDTH_PX = 340

/** A small button that opens the rule a figure follows. */
export function RulePopover({ name, children, className }: RulePopoverProps) {
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
