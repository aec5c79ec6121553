import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { AccessScreen } from '#components/access/access-screen.tsx'
import { readPermissions } from '../../reader.ts'

export const metadata: Metadata = { title: 'Access' }

export default async function AccessPage() {
  if (!(await readPermissions()).signsIn) notFound()
  return <AccessScreen />
}
