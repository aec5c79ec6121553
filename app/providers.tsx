'use client'

import { QueryClientProvider } from '@tanstack/react-query'
import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import { listenForCopies } from '#components/list/copied-lines.ts'
import { AddressAsOfProvider } from '#components/time/as-of.tsx'
import { APPEARANCE_COOKIES, applyAppearance } from '#components/ui/appearance.ts'
import { createQueryClient } from '#lib/client/query-client.ts'

type ProvidersProps = { isEmbed: boolean; children: ReactNode }

export function Providers({ isEmbed, children }: ProvidersProps) {
  const [queryClient] = useState(createQueryClient)
  // The browser draws a missing page without the scripts of a layout.
  useLayoutEffect(() => {
    if (!isEmbed) applyAppearance(document, APPEARANCE_COOKIES)
  }, [isEmbed])
  useEffect(listenForCopies, [])
  return (
    <QueryClientProvider client={queryClient}>
      <NuqsAdapter>
        <AddressAsOfProvider>{children}</AddressAsOfProvider>
      </NuqsAdapter>
    </QueryClientProvider>
  )
}
