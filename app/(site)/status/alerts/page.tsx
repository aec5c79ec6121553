import type { Metadata } from 'next'
import { AlertsScreen } from '#components/status/operator-screens.tsx'
import { requireAccess } from '#lib/server/pages/require-access.ts'
import { HydratedStatus } from '../hydrated-status.tsx'

export const metadata: Metadata = {
  title: 'Alerts',
  description: 'Alert rules, webhooks and messages.',
}

export default async function StatusAlertsPage() {
  await requireAccess()
  return (
    <HydratedStatus>
      <AlertsScreen />
    </HydratedStatus>
  )
}
