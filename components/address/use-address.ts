'use client'

import { useSearchParams } from 'next/navigation'
import { useCallback, useMemo, useState } from 'react'
import { toQueryText } from '#lib/contract/ratings-query.ts'

/** Writes the address: `push` leaves a step to come back to, `replace` does not (each letter of a search). */
type WriteAddress = (params: URLSearchParams, how?: 'push' | 'replace') => void

/**
 * The parameters of the page's address, and the way to change them without asking the server. The router follows in
 * a transition, so what was written is shown ahead of it: a control must not wait for that.
 */
export function useAddress(): { params: URLSearchParams; write: WriteAddress } {
  const routed = useSearchParams()?.toString() ?? ''
  const [shown, setShown] = useState({ routed, text: routed })
  if (shown.routed !== routed) setShown({ routed, text: routed })
  const params = useMemo(() => new URLSearchParams(shown.text), [shown.text])
  const write = useCallback<WriteAddress>((next, how = 'push') => {
    const { pathname, search } = window.location
    const href = `${pathname}${toQueryText(next)}`
    if (href === pathname + search) return
    setShown((last) => ({ ...last, text: next.toString() }))
    if (how === 'push') window.history.pushState(null, '', href)
    else window.history.replaceState(null, '', href)
  }, [])
  return { params, write }
}
