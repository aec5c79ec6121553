import type { Metadata } from 'next'
import { AuditScreen } from '#components/access/audit-screen.tsx'
import { PageBody } from '#components/ui/page-layout.tsx'
import { createQueryClient } from '#lib/client/query-client.ts'
import { auditList } from '#lib/contract/lists/audit.ts'
import { inspectionQuestions } from '#lib/contract/operations/inspection.ts'
import { toUrlParams } from '#lib/contract/page-addresses.ts'
import { requireAccess } from '#lib/server/pages/require-access.ts'
import { Hydrated } from '../../../hydrated.tsx'
import { toListTitle } from '../../../page-metadata.ts'
import { prefetchList } from '../../../prefetch-list.ts'

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  return {
    title: toListTitle(auditList, await searchParams),
    description: 'Sign-ins, refusals, exports and account changes.',
  }
}

export default async function AuditRoute({ searchParams }: Props) {
  await requireAccess()
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
