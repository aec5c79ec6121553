'use client'

import { useRef } from 'react'
import { useAsOf } from '#components/address/as-of.tsx'
import { Button } from '#components/ui/button.tsx'
import { keepCookie } from '#components/ui/kept-cookie.ts'
import { useLater } from '#components/ui/use-later.ts'
import { toStripCookie } from './strip-cookie.ts'

type StripProps = {
  /** The server's clock. */
  now: number | undefined
}

export const MovedStrip = ({ now }: StripProps) => useAsOf() === null && <Strip now={now} />

const loadNews = async () => (await import('./moved-news.tsx')).MovedNews

function Strip({ now }: StripProps) {
  const strip = useRef<HTMLElement>(null)
  const MovedNews = useLater(strip, loadNews)
  return (
    <aside
      ref={strip}
      aria-label="What moved"
      data-moved
      className="flex h-[40px] min-w-0 shrink-0 items-center gap-x-3 overflow-hidden border-b bg-surface px-4 text-sm sm:px-5"
    >
      {MovedNews && now !== undefined ? <MovedNews now={now} /> : <p className="min-w-0 grow" />}
      <Button size="small" variant="quiet" onClick={putAway}>
        Hide<span className="sr-only"> what moved</span>
      </Button>
    </aside>
  )
}

function putAway() {
  keepCookie(toStripCookie())
  document.documentElement.dataset.movedAway = ''
  document.getElementById('main')?.focus()
}
