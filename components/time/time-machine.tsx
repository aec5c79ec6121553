'use client'

import { useQuery } from '@tanstack/react-query'
import { usePathname } from 'next/navigation'
import { type SubmitEvent, useState } from 'react'
import { toZonedDay, toZoneName } from '#components/format/instants.ts'
import { Button } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { TextField } from '#components/ui/fields.tsx'
import { DownIcon } from '#components/ui/icons.tsx'
import { Popover } from '#components/ui/popover.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import { statusSummaryOptions } from '#lib/client/query-options.ts'
import { parseDay } from '#lib/contract/instant-text.ts'
import { useAsOf } from './as-of.tsx'
import { Instant } from './instant.tsx'
import { AGO, toDayAgo, toEndOfDay, useTimeTravel } from './time-travel.ts'

/** Chooses the day that the page is rewound to. */
export function TimeMachine({ className }: { className?: string }) {
  const asof = useAsOf()
  const zone = useZone()
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      label="Time machine"
      open={isOpen}
      onOpenChange={setOpen}
      className="w-76 p-3"
      trigger={
        <Button className={classNames('max-sm:px-2.5', className)}>
          <span>
            <span className={asof === null ? undefined : 'max-sm:sr-only'}>As of </span>
            {asof === null ? 'now' : toZonedDay(asof, zone)}
          </span>
          <DownIcon />
        </Button>
      }
    >
      <DayPanel onChosen={() => setOpen(false)} />
    </Popover>
  )
}

function DayPanel({ onChosen }: { onChosen: () => void }) {
  const asof = useAsOf()
  const zone = useZone()
  const now = useServerNow()
  const travelTo = useTimeTravel()
  const go = (day: string) => {
    travelTo(toEndOfDay(day, zone))
    onChosen()
  }
  return (
    <div className="flex flex-col gap-3">
      {asof === null && <p className="text-sm text-ink-2">{TEXTS.past}</p>}
      <DayForm
        key={`${asof} ${zone}`}
        start={asof === null ? '' : toZonedDay(asof, zone)}
        label={`Day, ${toZoneName(zone)}`}
        go={go}
      />
      <div className="grid grid-cols-2 gap-1.5 border-t pt-3">
        {AGO.map((ago) => (
          <Button
            key={ago}
            size="small"
            aria-disabled={now === null || undefined}
            onClick={() => now !== null && go(toDayAgo(toZonedDay(now, zone), ago))}
          >
            A {ago} ago
          </Button>
        ))}
      </div>
    </div>
  )
}

type DayFormProps = { start: string; label: string; go: (day: string) => void }

function DayForm({ start, label, go }: DayFormProps) {
  const [day, setDay] = useState(start)
  const [problem, setProblem] = useState<string | null>(null)
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    if (parseDay(day) === null) setProblem(day === '' ? 'Choose a day.' : OUTSIDE)
    else go(day)
  }
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-2">
      <TextField
        label={label}
        inputMode="numeric"
        maxLength={10}
        placeholder="YYYY-MM-DD"
        value={day}
        problem={problem}
        onChange={({ target }) => {
          setDay(target.value)
          setProblem(null)
        }}
      />
      <Button type="submit" size="small" variant="solid" className="self-start">
        Go to this day
      </Button>
    </form>
  )
}

const OUTSIDE = 'Choose a day from 1970-01-01 to 9999-12-31.'

const TEXTS = {
  past: 'Only ratings that existed then, with their states and consensus at the time. Votes and comments are as last seen.',
  future: 'In the future: as it would be without new ratings. Votes and comments are as last seen.',
  present: 'This page cannot be rewound and shows the present. The others stay rewound.',
}

/** Says that the page is rewound; leads back to now. */
export function TimeBanner() {
  const asof = useAsOf()
  const now = useServerNow()
  const travelTo = useTimeTravel()
  const isPresent = PRESENT.test(usePathname() ?? '')
  if (asof === null) return null
  const text = isPresent ? TEXTS.present : TEXTS[now !== null && asof > now ? 'future' : 'past']
  return (
    <section
      aria-label="Time machine"
      data-time-banner
      className="edges flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b bg-accent-bg py-1.5 lg:h-[44px] lg:flex-nowrap lg:py-0 lg:sticky lg:top-0 lg:z-25"
    >
      <p className="shrink-0 font-semibold">
        As of <Instant seconds={asof} />
      </p>
      <p
        className="min-w-0 text-sm text-ink-2 max-lg:order-1 max-lg:w-full lg:line-clamp-2 lg:grow lg:text-balance"
        title={text}
      >
        {text}
      </p>
      <Button
        size="small"
        variant="solid"
        className="max-lg:ml-auto"
        onClick={() => {
          travelTo(null)
          // The banner unmounts with its focused button.
          document.getElementById('main')?.focus()
        }}
      >
        Back to now
      </Button>
    </section>
  )
}

const PRESENT = /^\/(about|docs|downloads|help|status)(\/|$)/

/** Server's clock, seconds since 1970; null if unknown. */
const useServerNow = (): number | null => useQuery(statusSummaryOptions()).data?.now ?? null
