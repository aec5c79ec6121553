import type { Metadata } from 'next'
import { SqlScreen } from '#components/sql/sql-screen.tsx'
import { requireAccess } from '#lib/server/pages/require-access.ts'
import { loadHasPrices } from '../../status.ts'

export const metadata: Metadata = {
  title: 'SQL',
  description: 'SQL on all ratings, symbols, users and look-ups, run in this browser.',
}

export default async function SqlRoute() {
  await requireAccess()
  return <SqlScreen hasPrices={await loadHasPrices()} />
}
