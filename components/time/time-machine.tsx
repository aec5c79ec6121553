'use client'

import dynamic from 'next/dynamic'
import { useAsOf } from '#components/address/as-of.tsx'
import { toZonedDay } from '#components/format/instants.ts'
import { buttonClasses } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { DownIcon } from '#components/ui/icons.tsx'
import { Popover } from '#components/ui/overlays.tsx'
import { useZone } from '#components/ui/time-zone.ts'

const Panel = dynamic(async () => (await import('./time-panel.tsx')).TimePanel, { ssr: false })

const WIDTH_PX = 304

export function TimeMachine({ className }: { className?: string }) {
  const asof = useAsOf()
  const zone = useZone()
  return (
    <Popover
      aria-label="Time machine"
      data-time-panel
      widthPx={WIDTH_PX}
      className="p-3 text-ink"
      button={{
        'data-time-machine': true,
        className: buttonClasses({}, classNames('max-sm:px-2.5', className)),
        children: (
          <>
            <span>
              <span className={asof === null ? undefined : 'max-sm:sr-only'}>As of </span>
              {asof === null ? 'now' : toZonedDay(asof, zone)}
            </span>
            <DownIcon />
          </>
        ),
      }}
    >
      {(isOpen, close) => isOpen && <Panel onChosen={close} />}
    </Popover>
  )
}

/** Rendered on the server to avoid layout shift. */
const Rewound = dynamic(async () => (await import('./rewound-banner.tsx')).RewoundBanner)

export const TimeBanner = () => (useAsOf() === null ? null : <Rewound />)
