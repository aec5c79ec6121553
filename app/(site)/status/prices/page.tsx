import type { Metadata } from 'next'
import { PricesScreen } from '#components/status/operator-screens.tsx'
import { HydratedStatus } from '../hydrated-status.tsx'

export const metadata: Metadata = {
  title: 'Prices',
  description: 'Price files, names of symbols, and the lines that were set aside.',
}

export default function StatusPricesPage() {
  return (
    <HydratedStatus>
      <PricesScreen />
    </HydratedStatus>
  )
}
