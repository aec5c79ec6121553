import type { Metadata } from 'next'
import { PricesScreen } from '#components/status/operator-screens.tsx'
import { requireAccess } from '#lib/server/pages/require-access.ts'
import { HydratedStatus } from '../hydrated-status.tsx'

export const metadata: Metadata = {
  title: 'Prices',
  description: 'Price files, names of symbols, and the lines that were set aside.',
}

export default async function StatusPricesPage() {
  await requireAccess()
  return (
    <HydratedStatus>
      <PricesScreen />
    </HydratedStatus>
  )
}
