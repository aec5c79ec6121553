import { PageBody } from '#components/shell/page-body.tsx'
import { StatusSkeleton } from '#components/status/status-screen.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'

export default function StatusLoading() {
  return (
    <PageBody className="max-w-[1100px]">
      <PageHeader title="Status" detail="of the archive and its sync; times in UTC" />
      <StatusSkeleton />
    </PageBody>
  )
}
