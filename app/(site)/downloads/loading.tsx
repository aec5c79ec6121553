import { DumpCardsSkeleton } from '#components/downloads/downloads-screen.tsx'
import { PageBody } from '#components/shell/page-body.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'

export default function DownloadsLoading() {
  return (
    <PageBody className="max-w-[1760px]">
      <PageHeader
        title="Weekly dumps"
        detail="refreshed by the service on Sundays at 00:00 Eastern"
      />
      <DumpCardsSkeleton />
    </PageBody>
  )
}
