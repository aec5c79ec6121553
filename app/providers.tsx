'use client'

import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { NumberMarks } from '#components/format/number-marks.ts'
import { FormatsProvider } from '#components/format/use-formats.tsx'
import { createQueryClient } from '#components/shell/query-client.ts'
import { InstantCards } from '#components/time/instant-cards.tsx'
import { AddressOutlook } from '#components/time/zone.tsx'

type ProvidersProps = { marks: NumberMarks; children: ReactNode }

/** What every client component may rely on. */
export function Providers({ marks, children }: ProvidersProps) {
  const [queryClient] = useState(createQueryClient)
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
