import type { Metadata } from 'next'
import { WatchingScreen } from '#components/saved/watching-screen.tsx'
import { PageBody } from '#components/ui/page-layout.tsx'
import { requireAccess } from '#lib/server/pages/require-access.ts'

export const metadata: Metadata = {
  title: 'Watching',
  description: 'New ratings of the symbols, users and views that you watch.',
}

export default async function WatchingRoute() {
  await requireAccess()
  return (
    <PageBody className="max-w-[76rem]">
      <WatchingScreen />
    </PageBody>
  )
}
