'use client'

import dynamic from 'next/dynamic'
import { useId, useRef, useState } from 'react'
import { useAsof, useOutlook } from '#components/address/outlook.tsx'
import { toAsofText } from '#components/format/instants.ts'
import { buttonClasses } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { placeUnder } from '#components/ui/overlays.tsx'

const Panel = dynamic(async () => (await import('./time-panel.tsx')).TimePanel, { ssr: false })

const WIDTH_PX = 304

/** "As of now", or the instant that the page is rewound to: opens what rewinds it, which is loaded then. */
export function TimeMachine({ className }: { className?: string }) {
  const id = useId()
  const { asof, tz } = useOutlook()
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button
        ref={button}
        type="button"
        data-time-machine
        popoverTarget={id}
        aria-haspopup="dialog"
        className={buttonClasses({}, classNames('max-sm:px-2.5', className))}
      >
        {/* There is little room for a day on a narrow screen, and the banner says the same. */}
        <span>
          <span className={asof === null ? undefined : 'max-sm:sr-only'}>As of </span>
          {asof === null ? 'now' : toAsofText(asof, tz)}
        </span>
        <span aria-hidden>▾</span>
      </button>
      <div
        id={id}
        popover="auto"
        data-time-panel
        role="dialog"
        aria-label="Time machine"
        className="inset-auto m-0 overflow-y-auto rounded-md border border-line-2 bg-surface p-3 text-ink [scrollbar-width:thin]"
        style={{ width: WIDTH_PX }}
        onBeforeToggle={(event) => placeUnder(button.current, WIDTH_PX, event)}
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && <Panel />}
      </div>
    </>
  )
}

/** Drawn by the server too, so that nothing moves; who is not rewound loads none of it. */
const Rewound = dynamic(async () => (await import('./rewound-banner.tsx')).RewoundBanner)

/** Stands above every page that is rewound, and above no other. */
export const TimeBanner = () => (useAsof() === null ? null : <Rewound />)
