'use client'

import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { AddressAsOfProvider } from '#components/address/as-of.tsx'
import { prepareFirstFrame } from '#components/shell/first-frame.ts'
import { listenForCopies } from '#components/ui/copied-lines.ts'
import { repeatClicks, takeEarlyClicks } from '#components/ui/early-clicks.ts'
import { keepFocus } from '#components/ui/kept-focus.ts'
import { createQueryClient } from '#lib/client/query-client.ts'
import { Theme } from './theme.tsx'

// The browser draws a missing page without the scripts of a layout.
if (typeof window !== 'undefined') prepareFirstFrame()

type ProvidersProps = { theme: string | undefined; children: ReactNode }

export function Providers({ theme, children }: ProvidersProps) {
  const [queryClient] = useState(createQueryClient)
  const early = useRef<readonly HTMLElement[]>([])
  // Runs as React starts listening: a later click would be both handled and noted.
  useLayoutEffect(() => {
    early.current = takeEarlyClicks()
  }, [])
  useEffect(() => repeatClicks(early.current), [])
  useEffect(keepFocus, [])
  useEffect(listenForCopies, [])
  return (
    <QueryClientProvider client={queryClient}>
      <Theme forced={theme}>
        <AddressAsOfProvider>{children}</AddressAsOfProvider>
      </Theme>
    </QueryClientProvider>
  )
}
