import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { AccountScreen } from '#components/access/account-screen.tsx'
import { readPermissions } from '../../reader.ts'

export const metadata: Metadata = { title: 'Your account' }

export default async function AccountPage() {
  if (!(await readPermissions()).signsIn) notFound()
  return <AccountScreen />
}
