import { DumpCardsSkeleton } from '#components/downloads/downloads-screen.tsx'
import { PageBody, PageHeader } from '#components/ui/page-layout.tsx'

export default function DownloadsLoading() {
  return (
    <PageBody>
      <PageHeader
        title="Weekly dumps"
        detail="refreshed by the service on Sundays at 00:00 Eastern"
      />
      <DumpCardsSkeleton />
    </PageBody>
  )
}
