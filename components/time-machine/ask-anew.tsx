'use client'

import { useEffect, useRef } from 'react'
import { useAsof } from '#components/time/zone.tsx'

/**
 * On a page that the server says is not there: at another instant it may be. Nothing here could draw it, so the page is
 * loaded again.
 */
export function AskAnew() {
  const asof = useAsof()
  const asked = useRef(asof)
  useEffect(() => {
    if (asked.current !== asof) window.location.reload()
  }, [asof])
  return null
}
