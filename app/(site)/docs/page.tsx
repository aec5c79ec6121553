import type { Metadata } from 'next'
import { DocsIndex } from '#components/docs/doc-screens.tsx'
import { readDocGroups } from '#lib/server/pages/read-docs.ts'

export const metadata: Metadata = { title: 'Docs' }

export default async function DocsPage() {
  return <DocsIndex groups={await readDocGroups()} />
}
