import type { Metadata } from 'next'
import { SyncScreen } from '#components/status/operator-screens.tsx'
import { HydratedStatus } from '../hydrated-status.tsx'

export const metadata: Metadata = {
  title: 'Sync',
  description: 'Past and planned syncs, requests used, and the event log.',
}

export default function StatusSyncPage() {
  return (
    <HydratedStatus>
      <SyncScreen />
    </HydratedStatus>
  )
}
