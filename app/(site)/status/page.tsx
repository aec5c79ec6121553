import type { Metadata } from 'next'
import { StatusScreen } from '#components/status/status-screen.tsx'
import { requireAccess } from '#lib/server/pages/require-access.ts'
import { HydratedStatus } from './hydrated-status.tsx'

export const metadata: Metadata = {
  title: 'Status',
  description: 'Whether the ratings are complete, how fresh they are, and the syncs of 90 days.',
}

export default async function StatusPage() {
  await requireAccess()
  return (
    <HydratedStatus>
      <StatusScreen />
    </HydratedStatus>
  )
}
