import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { AccountScreen } from '#components/access/account-screen.tsx'
import { requireAccess } from '#lib/server/pages/require-access.ts'
import { readPermissions } from '../../permissions.ts'

export const metadata: Metadata = { title: 'Your account' }

export default async function AccountPage() {
  await requireAccess()
  if (!readPermissions().signsIn) notFound()
  return <AccountScreen />
}
