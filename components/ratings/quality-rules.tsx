'use client'

import { type ToggleEvent, useId, useRef } from 'react'
import { buttonClasses } from '#components/ui/button.tsx'
import { QUALITIES, qualityLabel } from '#lib/contract/quality.ts'
import { QUALITY_RULES } from '#lib/contract/quality-rules.ts'

const WIDTH_PX = 328
const MARGIN_PX = 8
const GAP_PX = 4

/**
 * What each lens finds, in the words of its rule: beside the rail where there is room, over or under its button, wherever
 * there is more of it.
 */
export function QualityRules() {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const place = ({ currentTarget: { style }, newState }: ToggleEvent<HTMLElement>) => {
    const about = button.current?.getBoundingClientRect()
    if (!about || newState !== 'open') return
    const { innerHeight: height, innerWidth: width } = window
    const most = Math.max(MARGIN_PX, width - WIDTH_PX - MARGIN_PX)
    const rail = button.current?.closest('aside')?.getBoundingClientRect()
    const left = rail ? rail.right + GAP_PX : about.left
    const isAbove = about.top > height - about.bottom
    const room = (isAbove ? about.top : height - about.bottom) - GAP_PX - MARGIN_PX
    style.left = `${Math.min(Math.max(MARGIN_PX, left), most)}px`
    style.top = isAbove ? 'auto' : `${about.bottom + GAP_PX}px`
    style.bottom = isAbove ? `${height - about.top + GAP_PX}px` : 'auto'
    style.maxHeight = `${room}px`
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        aria-haspopup="dialog"
        className={buttonClasses({ variant: 'quiet', size: 'small' })}
      >
        Rules
      </button>
      <div
        id={id}
        popover="auto"
        role="dialog"
        aria-label="Rules of data quality"
        className="inset-auto m-0 max-w-[calc(100vw-16px)] overflow-y-auto rounded-md border border-line-2 bg-surface p-3 text-sm text-ink [scrollbar-width:thin]"
        style={{ width: WIDTH_PX }}
        onBeforeToggle={place}
      >
        <dl className="flex flex-col gap-1.5">
          {QUALITIES.map((name) => (
            <div key={name}>
              <dt className="font-semibold">{qualityLabel(name)}</dt>
              <dd className="text-ink-2">{QUALITY_RULES[name]}</dd>
            </div>
          ))}
        </dl>
        <p className="mt-2.5 border-t pt-2 text-ink-3">
          “The rating before” is the member’s own on the symbol. A rating may fall under several;
          what a service sent is never changed.
        </p>
      </div>
    </>
  )
}
