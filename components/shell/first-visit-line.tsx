'use client'

import { useState } from 'react'
import { ZonedLink } from '#components/address/outlook.tsx'
import { Button } from '#components/ui/button.tsx'

type FirstVisitLineProps = {
  text: string
  /** Set as soon as the line is put away. */
  cookie: string
}

/** One line for a newcomer, above every page until it is put away. The server leaves it out from then on. */
export function FirstVisitLine({ text, cookie }: FirstVisitLineProps) {
  const [isShown, setShown] = useState(true)
  if (!isShown) return null
  const putAway = () => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS, which a local network lacks
    document.cookie = cookie
    setShown(false)
    document.getElementById('main')?.focus()
  }
  return (
    <aside
      aria-label="For newcomers"
      data-first-visit
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b bg-surface px-4 py-1.5 text-sm sm:px-5 lg:h-[40px] lg:flex-nowrap lg:py-0"
    >
      <p className="min-w-0 text-ink-2 max-lg:w-full lg:line-clamp-2">{text}</p>
      <ZonedLink href="/about" className="link shrink-0">
        What is this?
      </ZonedLink>
      <Button size="small" variant="quiet" className="ml-auto" onClick={putAway}>
        Hide
      </Button>
    </aside>
  )
}
