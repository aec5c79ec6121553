'use client'

import { useSearchParams } from 'next/navigation'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { readHere, writeHere } from '#components/ui/here.ts'
import { outlookQuery, splitZone } from '#lib/contract/outlook.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'

/** Writes the address: `push` leaves a step to come back to, `replace` does not (each letter of a search). */
type WriteAddress = (params: URLSearchParams, how?: 'push' | 'replace') => void

/**
 * The parameters of the page's address, and the way to change them without asking the server. The router follows in
 * a transition, so what was written is shown ahead of it: a control must not wait for that. A step back that comes before
 * the router has followed leaves nothing for it to follow, so steps through the history are heard here too.
 */
export function useAddress(): { params: URLSearchParams; write: WriteAddress } {
  const routed = useSearchParams()?.toString() ?? ''
  const [shown, setShown] = useState({ routed, text: routed })
  if (shown.routed !== routed) setShown({ routed, text: routed })
  useEffect(() => {
    const { pathname } = readHere()
    const hear = () => {
      // On the way to another page this one stays as it is.
      if (readHere().pathname !== pathname) return
      const text = new URLSearchParams(window.location.search).toString()
      setShown((last) => (last.text === text ? last : { ...last, text }))
    }
    window.addEventListener('popstate', hear)
    return () => window.removeEventListener('popstate', hear)
  }, [])
  const params = useMemo(() => new URLSearchParams(shown.text), [shown.text])
  const write = useCallback<WriteAddress>((next, how = 'push') => {
    const { pathname, search } = readHere()
    const href = `${pathname}${toQueryText(next)}`
    if (href === pathname + search) return
    setShown((last) => ({ ...last, text: next.toString() }))
    writeHere(href, how)
  }, [])
  return { params, write }
}

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
      writeAll(toParams(outlookQuery, { tz: current }, next), how)
    },
    [writeAll],
  )
  return { given, params, zone, ignored, write }
}
