import type { Metadata } from 'next'
import { DatabaseCard } from '#components/downloads/database-card.tsx'
import { DownloadsScreen } from '#components/downloads/downloads-screen.tsx'
import { dumpsOptions } from '#lib/client/list-options.ts'
import { createQueryClient } from '#lib/client/query-client.ts'
import { fetchInProcess } from '#lib/server/pages/fetch-in-process.ts'
import { requireAccess } from '#lib/server/pages/require-access.ts'
import { Hydrated } from '../../../hydrated.tsx'

export const metadata: Metadata = {
  title: 'Downloads',
  description:
    'The weekly dumps of posts and lookups as CSV files, verified, with their checksums.',
}

export default async function DownloadsPage() {
  await requireAccess()
  const queryClient = createQueryClient()
  await queryClient.prefetchQuery(dumpsOptions(fetchInProcess))
  return (
    <Hydrated client={queryClient}>
      <DownloadsScreen />
      <DatabaseCard />
    </Hydrated>
  )
}
