import type { Metadata } from 'next'
import { AlertsScreen } from '#components/status/operator-screens.tsx'
import { HydratedStatus } from '../hydrated-status.tsx'

export const metadata: Metadata = {
  title: 'Alerts',
  description: 'Alert rules, webhooks and messages.',
}

export default function StatusAlertsPage() {
  return (
    <HydratedStatus>
      <AlertsScreen />
    </HydratedStatus>
  )
}
