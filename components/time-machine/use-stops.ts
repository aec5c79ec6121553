'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { withAsof } from '#lib/contract/outlook.ts'
import { playing } from './playing.ts'

/** What a reader may use while it plays. */
const OWN = '[data-time-banner], [data-time-panel]'

/**
 * Ends what plays: with Escape, where nobody looks, and with whatever else somebody does on the page. That may lead
 * elsewhere, and a step would call off the way there.
 */
export function useStops(): void {
  const path = usePathname() ?? ''
  const text = useSearchParams()?.toString() ?? ''
  const shown = withAsof(new URLSearchParams(text), null).toString()
  const last = useRef({ path, shown })
  useEffect(() => {
    const before = last.current.shown
    // A step begins with the first page of a table again.
    const isStep = [before, withoutPage(before)].some((text) => text === shown)
    if (path !== last.current.path || !isStep) playing.stop()
    last.current = { path, shown }
  }, [path, shown])
  useEffect(() => {
    const isElsewhere = ({ target }: Event) => target instanceof Element && !target.closest(OWN)
    const onClick = (event: Event) => isElsewhere(event) && playing.stop()
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' || (event.key === 'Enter' && isElsewhere(event))) playing.stop()
    }
    const onHidden = () => document.hidden && playing.stop()
    addEventListener('click', onClick, { capture: true })
    addEventListener('keydown', onKey, { capture: true })
    addEventListener('popstate', playing.stop)
    document.addEventListener('visibilitychange', onHidden)
    return () => {
      removeEventListener('click', onClick, { capture: true })
      removeEventListener('keydown', onKey, { capture: true })
      removeEventListener('popstate', playing.stop)
      document.removeEventListener('visibilitychange', onHidden)
      playing.stop()
    }
  }, [])
}

function withoutPage(text: string): string {
  const params = new URLSearchParams(text)
  params.delete('page')
  return params.toString()
}
