import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { ApiScreen } from '#components/docs/api-screen.tsx'
import { readDoc } from '#lib/server/read-docs.ts'
import { loadApiExamples } from '../../../tried-examples.ts'

export const metadata: Metadata = { title: 'The API' }

export default async function ApiPage() {
  const [doc, examples] = await Promise.all([readDoc('api'), loadApiExamples()])
  if (!doc) notFound()
  return <ApiScreen doc={doc} examples={examples} />
}
