import type { Metadata } from 'next'
import { StatusScreen } from '#components/status/status-screen.tsx'
import { HydratedStatus } from './hydrated-status.tsx'

export const metadata: Metadata = {
  title: 'Status',
  description: 'Whether the ratings are complete, how fresh they are, and the syncs of 90 days.',
}

export default function StatusPage() {
  return (
    <HydratedStatus>
      <StatusScreen />
    </HydratedStatus>
  )
}
