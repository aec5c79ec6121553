'use client'

import { usePathname } from 'next/navigation'
import { useEffect, useState } from 'react'
import { ZonedInstant } from '#components/time/instant.tsx'
import { Button } from '#components/ui/button.tsx'
import { LiveRegion } from '#components/ui/live-region.tsx'
import { canRewind } from './can-rewind.ts'
import { playing } from './playing.ts'
import { StepButtons } from './step-buttons.tsx'
import { travelTo } from './travel.ts'
import { usePlayer } from './use-player.ts'
import { useRewound } from './use-rewound.ts'
import { useStops } from './use-stops.ts'
import { useTimeKeys } from './use-time-keys.ts'

const TEXTS = {
  past: 'Only ratings that existed then, with states and consensus as of then. Votes and comments are as last seen.',
  future:
    'In the future: as it would be if nobody posted or renewed. Votes and comments are as last seen.',
  before: 'The first rating came later: there was nothing yet.',
  present: 'This page cannot be rewound: it shows the present. The others stay as of then.',
}

/** Says what instant the page is rewound to, over the page, with the ways on, back, and back to now. */
export function RewoundBanner() {
  const { asof, kind } = useRewound()
  const isRewindable = canRewind(usePathname() ?? '')
  usePlayer()
  useStops()
  useTimeKeys(isRewindable)
  const text = TEXTS[isRewindable ? (kind ?? 'past') : 'present']
  if (asof === null) return null
  return (
    <section
      aria-label="Time machine"
      data-time-banner
      className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b bg-accent-bg px-4 py-1.5 sm:px-5 lg:h-[44px] lg:flex-nowrap lg:py-0 lg:sticky lg:top-0 lg:z-25"
    >
      <p className="shrink-0 font-semibold">
        As of <ZonedInstant seconds={asof} />
      </p>
      <p
        className="min-w-0 text-sm text-ink-2 max-lg:order-1 max-lg:w-full lg:line-clamp-2 lg:grow lg:text-balance"
        title={text}
      >
        {text}
      </p>
      {isRewindable && <StepButtons className="flex shrink-0 items-center gap-1 max-lg:order-1" />}
      <Button size="small" variant="solid" className="max-lg:ml-auto" onClick={toNow}>
        Back to now
      </Button>
      <Said message={`Rewound. ${text}`} />
    </section>
  )
}

function toNow() {
  playing.stop()
  travelTo(null, 'push')
  // The button goes with the banner; who stood on it stands on what brought it.
  const next = document.querySelector<HTMLElement>('[data-time-machine]')
  ;(next ?? document.querySelector<HTMLElement>('#main'))?.focus()
}

/**
 * Read out when it appears, and when what it says of the page is another thing, as before the first rating or where the
 * present is shown: no step changes it, or it would talk on and on. A region that comes together with its text is not read.
 */
function Said({ message }: { message: string }) {
  const [said, setSaid] = useState('')
  useEffect(() => setSaid(message), [message])
  return <LiveRegion message={said} />
}
