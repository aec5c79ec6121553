'use client'

import { type ComponentType, useEffect, useState } from 'react'
import { useAsof } from '#components/address/outlook.tsx'
import { Button } from '#components/ui/button.tsx'
import { keepCookie } from '#components/ui/kept-cookie.ts'
import { toStripCookie } from './strip-cookie.ts'

type StripComponent = ComponentType<{ now: number }>

/** `now` is the server's clock. Loads nothing if `data-moved-away` is set on the root. */
export function MovedStrip({ now }: { now: number | undefined }) {
  const isRewound = useAsof() !== null
  const [Loaded, setLoaded] = useState<StripComponent | null>(null)
  const isWanted = now !== undefined && !isRewound
  useEffect(() => {
    if (!isWanted || isAway()) return
    import('./moved-news.tsx').then(
      ({ MovedNews }) => setLoaded(() => MovedNews),
      () => undefined,
    )
  }, [isWanted])
  if (isRewound) return null
  return (
    <aside
      aria-label="What moved"
      data-moved
      className="flex h-[40px] min-w-0 shrink-0 items-center gap-x-3 overflow-hidden border-b bg-surface px-4 text-sm sm:px-5"
    >
      {Loaded && now !== undefined ? <Loaded now={now} /> : <p className="min-w-0 grow" />}
      <Button size="small" variant="quiet" onClick={putAway}>
        Hide<span className="sr-only"> what moved</span>
      </Button>
    </aside>
  )
}

const isAway = () => document.documentElement.dataset.movedAway !== undefined

function putAway() {
  keepCookie(toStripCookie())
  document.documentElement.dataset.movedAway = ''
  document.getElementById('main')?.focus()
}
