'use client'

import { type ToggleEvent, useId, useRef } from 'react'
import { buttonClasses } from '#components/ui/button.tsx'
import { placeWithRoom } from '#components/ui/help-popover.tsx'
import { QUALITIES, qualityLabel } from '#lib/contract/quality.ts'
import { QUALITY_RULES } from '#lib/contract/quality-definitions.ts'

const WIDTH_PX = 328
const GAP_PX = 4

/**
 * What each lens finds, in the words of its rule: beside the rail where there is room, over or under its button, wherever
 * there is more of it.
 */
export function QualityRules() {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const place = (event: ToggleEvent<HTMLElement>) => {
    const rail = button.current?.closest('aside')?.getBoundingClientRect()
    placeWithRoom(button.current, { widthPx: WIDTH_PX, leftPx: rail && rail.right + GAP_PX }, event)
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
