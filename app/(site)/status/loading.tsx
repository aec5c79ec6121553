import { StatusSkeleton } from '#components/status/status-screen.tsx'
import { PageBody, PageHeader } from '#components/ui/page-layout.tsx'

export default function StatusLoading() {
  return (
    <PageBody>
      <PageHeader title="Status" detail="of the archive and its sync; times in UTC" />
      <StatusSkeleton />
    </PageBody>
  )
}
