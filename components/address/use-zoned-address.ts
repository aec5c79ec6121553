'use client'

import { useCallback, useMemo } from 'react'
import { splitZone, withZone } from '#lib/contract/outlook.ts'
import { useAddress } from './use-address.ts'

/**
 * The address of a page whose times follow the zone in it: `params` are what is looked at, without the zone, and what
 * is written keeps the zone. `given` is all of it as it stands, `ignored` what is wrong with the zone.
 */
export function useZonedAddress() {
  const { params: given, write: writeAll } = useAddress()
  const { zone, ignored, rest: params } = useMemo(() => splitZone(given), [given])
  const write = useCallback<typeof writeAll>(
    (next, how) => {
      const { zone: current } = splitZone(new URLSearchParams(window.location.search))
      writeAll(withZone(next, current), how)
    },
    [writeAll],
  )
  return { given, params, zone, ignored, write }
}
