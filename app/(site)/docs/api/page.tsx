import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { ApiScreen } from '#components/docs/doc-screens.tsx'
import { readDoc } from '#lib/server/pages/read-docs.ts'

export const metadata: Metadata = { title: 'The API' }

export default async function ApiPage() {
  const doc = await readDoc('api')
  if (!doc) notFound()
  return <ApiScreen doc={doc} />
}
