'use client'

import { useSearchParams } from 'next/navigation'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { readHere, writeHere } from '#components/ui/here.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'

/** `push` adds a history entry, `replace` does not. */
type WriteAddress = (params: URLSearchParams, how?: 'push' | 'replace') => void

/**
 * Shows changes ahead of the router, which follows in a transition. Handles `popstate`, because
 * going back before the router has followed would be missed.
 */
export function useAddress(): { params: URLSearchParams; write: WriteAddress } {
  const routed = useSearchParams()?.toString() ?? ''
  const [shown, setShown] = useState({ routed, text: routed })
  if (shown.routed !== routed) setShown({ routed, text: routed })
  useEffect(() => {
    const { pathname } = readHere()
    const hear = () => {
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
