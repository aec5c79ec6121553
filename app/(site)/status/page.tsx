import type { Metadata } from 'next'
import { connection } from 'next/server'
import { StatusScreen } from '#components/status/status-screen.tsx'
import { editionsOptions } from '#lib/client/edition-options.ts'
import { createQueryClient } from '#lib/client/query-client.ts'
import { statusOptions } from '#lib/client/query-options.ts'
import { askInProcess } from '#lib/server/pages/ask-in-process.ts'
import { Hydrated } from '../../hydrated.tsx'

export const metadata: Metadata = {
  title: 'Status',
  description: 'Past and planned syncs, requests used, and rows that could not be read.',
}

export default async function StatusPage() {
  await connection()
  const queryClient = createQueryClient()
  await Promise.all([
    queryClient.prefetchQuery(statusOptions(askInProcess)),
    queryClient.prefetchQuery(editionsOptions(askInProcess)),
  ])
  return (
    <Hydrated client={queryClient}>
      <StatusScreen />
    </Hydrated>
  )
}
