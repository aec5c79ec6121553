import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { requireAccess } from '#lib/server/pages/require-access.ts'

export const metadata: Metadata = { title: 'Not found' }

/** Without this route, Next.js sends the not-found layout along with every page. */
export default async function Page() {
  await requireAccess()
  notFound()
}
