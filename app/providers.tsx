'use client'

import { QueryClientProvider } from '@tanstack/react-query'
import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { type ReactNode, useEffect, useState } from 'react'
import { listenForCopies } from '#components/list/copied-lines.ts'
import { prepareFirstFrame } from '#components/shell/first-frame.ts'
import { AddressAsOfProvider } from '#components/time/as-of.tsx'
import { createQueryClient } from '#lib/client/query-client.ts'
import { Theme } from './theme.tsx'

// The browser draws a missing page without the scripts of a layout.
if (typeof window !== 'undefined') prepareFirstFrame()

type ProvidersProps = { theme: string | undefined; children: ReactNode }

export function Providers({ theme, children }: ProvidersProps) {
  const [queryClient] = useState(createQueryClient)
  useEffect(listenForCopies, [])
  return (
    <QueryClientProvider client={queryClient}>
      <Theme forced={theme}>
        <NuqsAdapter>
          <AddressAsOfProvider>{children}</AddressAsOfProvider>
        </NuqsAdapter>
      </Theme>
    </QueryClientProvider>
  )
}
