import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { DocScreen } from '#components/docs/doc-screens.tsx'
import { readDoc } from '#components/docs/read-docs.ts'
import { requireAccess } from '#lib/server/pages/require-access.ts'

type DocPageProps = { params: Promise<{ path: string[] }> }

const load = cache(async (path: string) => await readDoc(path))

const loadGiven = async ({ params }: DocPageProps) => await load((await params).path.join('/'))

export async function generateMetadata(props: DocPageProps): Promise<Metadata> {
  return { title: (await loadGiven(props))?.title ?? 'Not found' }
}

export default async function DocPage(props: DocPageProps) {
  await requireAccess()
  const doc = await loadGiven(props)
  if (!doc) notFound()
  return <DocScreen doc={doc} />
}
