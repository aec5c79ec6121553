import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { ApiScreen } from '#components/docs/api-screens.tsx'
import { readDoc } from '#components/docs/read-docs.ts'
import { requireAccess } from '#lib/server/pages/require-access.ts'

export const metadata: Metadata = { title: 'The API' }

export default async function ApiPage() {
  await requireAccess()
  const doc = await readDoc('api')
  if (!doc) notFound()
  return <ApiScreen doc={doc} />
}
