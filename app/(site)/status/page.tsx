import { dehydrate, HydrationBoundary } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { connection } from 'next/server'
import { createQueryClient } from '#components/shell/query-client.ts'
import { StatusScreen } from '#components/status/status-screen.tsx'
import { statusOptions } from '#lib/client/query-options.ts'
import { fetchInProcess } from '#lib/server/fetch-api.ts'

export const metadata: Metadata = { title: 'Status' }

export default async function StatusPage() {
  await connection()
  const queryClient = createQueryClient()
  await queryClient.prefetchQuery(statusOptions(fetchInProcess))
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <StatusScreen />
    </HydrationBoundary>
  )
}
