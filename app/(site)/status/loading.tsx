import { StatusSkeleton } from '#components/status/status-screen.tsx'
import { PageBody, PageHeader } from '#components/ui/page-layout.tsx'

export default function StatusLoading() {
  return (
    <PageBody>
      <PageHeader title="Status" detail="Archive and sync; times in UTC" />
      <StatusSkeleton />
    </PageBody>
  )
}
