'use client'

import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useEffect } from 'react'
import { formatInZone } from '#components/format/instant.ts'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { useLocalZone, useNow } from '#components/ui/use-now.ts'
import { statusOptions } from '#lib/client/query-options.ts'
import { toCardRows } from './card-rows.ts'
import { useCardPlace } from './use-card-place.ts'
import { useZone } from './zone.tsx'
import { toZoneName } from './zone-name.ts'
import { toOwnZone } from './zone-options.ts'

type InstantCardProps = {
  ref: RefObject<HTMLDivElement | null>
  /** The time that it is about. */
  time: HTMLElement
  /** Where the focus comes from and goes back to. */
  from: HTMLElement | null
  takesFocus: boolean
  onClose: () => void
}

/** One instant in every form that a reader may want, each copied by a click. It takes no room of the page. */
export function InstantCard({ ref, time, from, takesFocus, onClose }: InstantCardProps) {
  const zone = useZone()
  const own = toOwnZone(useLocalZone() ?? undefined)
  const now = useServerNow()
  const seconds = Date.parse(time.getAttribute('datetime') ?? '') / 1000
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

/** Now by the server's clock, in seconds since 1970; null while it was never heard. */
function useServerNow(): number | null {
  const heard = useQuery(statusOptions()).data?.data.now
  const now = useNow(heard ?? 0)
  return heard === undefined ? null : now
}

/** Escape takes away the card, and nothing that lies below it. */
function useEscape(onClose: () => void) {
  useEffect(() => {
    const close = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      onClose()
    }
    window.addEventListener('keydown', close, { capture: true })
    return () => window.removeEventListener('keydown', close, { capture: true })
  }, [onClose])
}

/** The card stands at the end of the page, and is read where its time stands: Tab goes back there from both its ends. */
function leaveByTab(event: KeyboardEvent<HTMLDivElement>, from: HTMLElement | null) {
  if (event.key !== 'Tab' || !from) return
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const end = event.shiftKey ? buttons.at(0) : buttons.at(-1)
  if (event.target !== end) return
  // Forwards, the browser goes on from there by itself.
  if (event.shiftKey) event.preventDefault()
  from.focus()
}
