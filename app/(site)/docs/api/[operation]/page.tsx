import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { TRIED_OPERATIONS } from '#components/docs/doc-screens.tsx'
import { OperationScreen } from '#components/docs/operation-screen.tsx'
import { readDocPart } from '#components/docs/read-docs.ts'
import { requireAccess } from '#lib/server/pages/require-access.ts'
import { loadApiExamples } from '../../../../tried-examples.ts'

type OperationPageProps = { params: Promise<{ operation: string }> }

async function findOperation({ params }: OperationPageProps) {
  const { operation } = await params
  return TRIED_OPERATIONS.find(({ id }) => id === operation)
}

export async function generateMetadata(props: OperationPageProps): Promise<Metadata> {
  const operation = await findOperation(props)
  return { title: operation ? `Try ${operation.address}` : 'Not found' }
}

export default async function OperationPage(props: OperationPageProps) {
  await requireAccess()
  const operation = await findOperation(props)
  if (!operation) notFound()
  const [doc, examples] = await Promise.all([readDocPart('api'), loadApiExamples()])
  if (!doc) notFound()
  return <OperationScreen doc={doc} examples={examples} operation={operation} />
}
