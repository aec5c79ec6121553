import type { Metadata } from 'next'
import { AuditScreen } from '#components/access/audit-screen.tsx'
import { toUrlParams } from '#components/address/page-address.ts'
import { PageBody } from '#components/ui/page-layout.tsx'
import { createQueryClient } from '#lib/client/query-client.ts'
import { inspectionQuestions } from '#lib/contract/operations/inspection.ts'
import { prefetchList } from '#lib/server/pages/prefetch-list.ts'
import { Hydrated } from '../../../hydrated.tsx'

export const metadata: Metadata = {
  title: 'Audit log',
  description: 'Sign-ins, refusals, exports and account changes.',
}

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function AuditRoute({ searchParams }: Props) {
  const queryClient = createQueryClient()
  await prefetchList(
    queryClient,
    { page: inspectionQuestions.audit, facets: inspectionQuestions.auditFacets },
    toUrlParams(await searchParams),
  )
  return (
    <PageBody>
      <Hydrated client={queryClient}>
        <AuditScreen />
      </Hydrated>
    </PageBody>
  )
}
