import type { Metadata } from 'next'
import { BackupsScreen } from '#components/status/operator-screens.tsx'
import { HydratedStatus } from '../hydrated-status.tsx'

export const metadata: Metadata = {
  title: 'Backups',
  description: 'Backups of the data folder, and the next one.',
}

export default function StatusBackupsPage() {
  return (
    <HydratedStatus>
      <BackupsScreen />
    </HydratedStatus>
  )
}
