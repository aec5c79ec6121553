import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { AccountScreen } from '#components/access/account-screen.tsx'
import { readPermissions } from '../../reader.ts'

export const metadata: Metadata = { title: 'Your account' }

/** What is in it is asked for by the browser: a page is the same for all who may do the same. */
export default async function AccountPage() {
  if (!(await readPermissions()).signsIn) notFound()
  return <AccountScreen />
}
