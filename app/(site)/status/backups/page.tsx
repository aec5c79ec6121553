import type { Metadata } from 'next'
import { BackupsScreen } from '#components/status/operator-screens.tsx'
import { requireAccess } from '#lib/server/pages/require-access.ts'
import { HydratedStatus } from '../hydrated-status.tsx'

export const metadata: Metadata = {
  title: 'Backups',
  description: 'Backups of the data folder, and the next one.',
}

export default async function StatusBackupsPage() {
  await requireAccess()
  return (
    <HydratedStatus>
      <BackupsScreen />
    </HydratedStatus>
  )
}
