'use client'

import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useOutlook } from '#components/time/zone.tsx'
import { statusOptions } from '#lib/client/query-options.ts'
import { firstRatingOptions } from './first-rating.ts'
import { playing } from './playing.ts'

/** When the first rating of all was posted, in seconds since 1970; null while nobody knows. */
export function useFirstRating(): number | null {
  const { data } = useQuery(firstRatingOptions())
  return data?.data[0]?.created_at ?? null
}

/** Now by the server's clock, in seconds since 1970; null where it was never heard. */
export const useServerNow = (): number | null => useQuery(statusOptions()).data?.data.now ?? null

/** By how many days each step of what plays goes; null where nothing plays. */
export const usePlaying = () => useSyncExternalStore(playing.subscribe, playing.read, () => null)

/** Where the page stands, and how that lies to now and to the first rating. `kind` is null at now. */
export function useRewound() {
  const { asof, tz } = useOutlook()
  const now = useServerNow()
  const first = useFirstRating()
  const toKind = () => {
    if (asof === null) return null
    if (now !== null && asof > now) return 'future'
    return first !== null && asof < first ? 'before' : 'past'
  }
  return { asof, zone: tz, now, first, kind: toKind() } as const
}
