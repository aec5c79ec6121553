import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { OperationScreen } from '#components/docs/api-screens.tsx'
import { loadAnswerFields } from '#lib/contract/openapi/answer-fields.ts'
import { OPERATIONS } from '#lib/contract/operations/operations.ts'
import { requireAccess } from '#lib/server/pages/require-access.ts'
import { loadApiExamples } from '../../../../tried-examples.ts'

type OperationPageProps = { params: Promise<{ operation: string }> }

async function findOperation({ params }: OperationPageProps) {
  const { operation } = await params
  return OPERATIONS.find(({ id }) => id === operation)
}

export async function generateMetadata(props: OperationPageProps): Promise<Metadata> {
  const operation = await findOperation(props)
  return { title: operation ? `${operation.method} ${operation.address}` : 'Not found' }
}

export default async function OperationPage(props: OperationPageProps) {
  await requireAccess()
  const operation = await findOperation(props)
  if (!operation) notFound()
  const [fields, examples] = await Promise.all([loadAnswerFields(operation), loadApiExamples()])
  return <OperationScreen examples={examples} fields={fields} operation={operation} />
}
