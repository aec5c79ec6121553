import type { Metadata } from 'next'
import { HelpScreen } from '#components/search/key-help.tsx'
import { requireAccess } from '#lib/server/pages/require-access.ts'

export const metadata: Metadata = { title: 'Help' }

export default async function HelpPage() {
  await requireAccess()
  return <HelpScreen />
}
