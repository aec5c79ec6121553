import { DumpCardsSkeleton, DumpsHeader } from '#components/downloads/downloads-screen.tsx'
import { PageBody } from '#components/ui/page-layout.tsx'

export default function DownloadsLoading() {
  return (
    <PageBody>
      <DumpsHeader />
      <DumpCardsSkeleton />
    </PageBody>
  )
}
