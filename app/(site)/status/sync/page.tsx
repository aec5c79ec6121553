import type { Metadata } from 'next'
import { SyncScreen } from '#components/status/operator-screens.tsx'
import { requireAccess } from '#lib/server/pages/require-access.ts'
import { HydratedStatus } from '../hydrated-status.tsx'

export const metadata: Metadata = {
  title: 'Sync',
  description: 'Past and planned syncs, requests used, and the event log.',
}

export default async function StatusSyncPage() {
  await requireAccess()
  return (
    <HydratedStatus>
      <SyncScreen />
    </HydratedStatus>
  )
}
