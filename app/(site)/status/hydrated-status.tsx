import type { ReactNode } from 'react'
import { createQueryClient } from '#lib/client/query-client.ts'
import { statusOptions } from '#lib/client/query-options.ts'
import { fetchInProcess } from '#lib/server/pages/fetch-in-process.ts'
import { Hydrated } from '../../hydrated.tsx'

export async function HydratedStatus({ children }: { children: ReactNode }) {
  const queryClient = createQueryClient()
  await queryClient.prefetchQuery(statusOptions(fetchInProcess))
  return <Hydrated client={queryClient}>{children}</Hydrated>
}
