import { StatusSkeleton } from '#components/status/status-page.tsx'
import { PageBody, PageHeader } from '#components/ui/page-layout.tsx'

export default function StatusLoading() {
  return (
    <PageBody>
      <PageHeader title="Status" />
      <StatusSkeleton />
    </PageBody>
  )
}
