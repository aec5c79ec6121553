import { DumpCardsSkeleton } from '#components/downloads/downloads-screen.tsx'
import { PageBody, PageHeader } from '#components/ui/page-layout.tsx'

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
