import type { Metadata } from 'next'
import { DocsIndex } from '#components/docs/doc-screens.tsx'
import { readDocGroups } from '#components/docs/read-docs.ts'
import { requireAccess } from '#lib/server/pages/require-access.ts'

export const metadata: Metadata = { title: 'Docs' }

export default async function DocsPage() {
  await requireAccess()
  return <DocsIndex groups={await readDocGroups()} />
}
