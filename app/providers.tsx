'use client'

import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { AddressAsOfProvider } from '#components/address/as-of.tsx'
import { listenForCopies } from '#components/list/copied-lines.ts'
import { APPEARANCE_COOKIES, applyAppearance } from '#components/ui/appearance.ts'
import { repeatClicks, takeEarlyClicks } from '#components/ui/early-clicks.ts'
import { keepFocus } from '#components/ui/kept-focus.ts'
import { createQueryClient } from '#lib/client/query-client.ts'

export function Providers({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient)
  const early = useRef<readonly HTMLElement[]>([])
  // Runs as React starts listening: a later click would be both handled and noted.
  useLayoutEffect(() => {
    // The browser draws a missing page without the scripts of a layout.
    if (!('takeEarlyClicks' in window)) applyAppearance(document, APPEARANCE_COOKIES)
    early.current = takeEarlyClicks()
  }, [])
  useEffect(() => repeatClicks(early.current), [])
  useEffect(keepFocus, [])
  useEffect(listenForCopies, [])
  return (
    <QueryClientProvider client={queryClient}>
      <AddressAsOfProvider>{children}</AddressAsOfProvider>
    </QueryClientProvider>
  )
}
