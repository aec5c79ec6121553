import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { AccessScreen } from '#components/access/access-screen.tsx'
import { requireAccess } from '#lib/server/pages/require-access.ts'
import { readPermissions } from '../../permissions.ts'

export const metadata: Metadata = { title: 'Access' }

export default async function AccessPage() {
  await requireAccess()
  if (!readPermissions().signsIn) notFound()
  return <AccessScreen />
}
