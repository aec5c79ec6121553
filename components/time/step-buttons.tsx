'use client'

import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useAsOf } from '#components/address/as-of.tsx'
import { Button } from '#components/ui/button.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import { statusSummaryOptions } from '#lib/client/query-options.ts'
import { firstRatingOptions, nowSeconds, playing, travelBy } from './time-travel.ts'

const STEPS = [
  { days: -7, text: '−1 w', name: '1 week back', key: '{' },
  { days: -1, text: '−1 d', name: '1 day back', key: '[' },
  { days: 1, text: '+1 d', name: '1 day on', key: ']' },
  { days: 7, text: '+1 w', name: '1 week on', key: '}' },
]

export function StepButtons({ className }: { className?: string }) {
  const { asof, zone, now, kind } = useRewound()
  const isPlaying = usePlaying() !== null
  const isNow = asof === null
  const canPlay = kind === 'past' || kind === 'before'
  const toStep = ({ days, text, name, key }: (typeof STEPS)[number]) => (
    <Button
      key={days}
      size="small"
      aria-label={`${text}, ${name}`}
      title={isNow ? name : `${name} (${key})`}
      aria-disabled={(isNow && days > 0) || undefined}
      className="px-1.5"
      onClick={() => {
        if (isNow && days > 0) return
        playing.stop()
        travelBy(days, { now: now ?? nowSeconds(), zone })
      }}
    >
      {text}
    </Button>
  )
  return (
    <span className={className}>
      {STEPS.slice(0, 2).map(toStep)}
      <Button
        size="small"
        className="w-[4.25rem]"
        aria-disabled={!canPlay || undefined}
        title={canPlay ? 'Steps on until now' : 'Plays from a day in the past until now'}
        onClick={() => {
          if (isPlaying) playing.stop()
          else if (canPlay) playing.start(playing.last())
        }}
      >
        <span aria-hidden>{isPlaying ? '❚❚' : '▶'}</span> {isPlaying ? 'Pause' : 'Play'}
      </Button>
      {STEPS.slice(2).map(toStep)}
    </span>
  )
}

/** Seconds since 1970; null if unknown. */
export function useFirstRating(): number | null {
  const { data } = useQuery(firstRatingOptions())
  return data?.data[0]?.created_at ?? null
}

/** Server's clock, seconds since 1970; null if unknown. */
export const useServerNow = (): number | null => useQuery(statusSummaryOptions()).data?.now ?? null

export const usePlaying = () => useSyncExternalStore(playing.subscribe, playing.read, () => null)

export function useRewound() {
  const asof = useAsOf()
  const zone = useZone()
  const now = useServerNow()
  const first = useFirstRating()
  const toKind = () => {
    if (asof === null) return null
    if (now !== null && asof > now) return 'future'
    return first !== null && asof < first ? 'before' : 'past'
  }
  return { asof, zone, now, first, kind: toKind() } as const
}
