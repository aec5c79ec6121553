'use client'

import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { AddressOutlook } from '#components/address/outlook.tsx'
import type { NumberMarks } from '#components/format/numbers.ts'
import { FormatsProvider } from '#components/format/use-formats.tsx'
import { InstantCards } from '#components/time/instant.tsx'
import { repeatClicks, takeEarlyClicks } from '#components/ui/early-clicks.ts'
import { createQueryClient } from '#lib/client/query-client.ts'

type ProvidersProps = { marks: NumberMarks; children: ReactNode }

export function Providers({ marks, children }: ProvidersProps) {
  const [queryClient] = useState(createQueryClient)
  const early = useRef<readonly HTMLElement[]>([])
  // A layout effect: it runs as React starts listening, so that no click is both handled and noted.
  useLayoutEffect(() => {
    early.current = takeEarlyClicks()
  }, [])
  // The effects of children have run by now.
  useEffect(() => repeatClicks(early.current), [])
  return (
    <QueryClientProvider client={queryClient}>
      <FormatsProvider marks={marks}>
        <AddressOutlook>
          {children}
          <InstantCards />
        </AddressOutlook>
      </FormatsProvider>
    </QueryClientProvider>
  )
}
