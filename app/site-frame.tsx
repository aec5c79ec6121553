import { dehydrate, HydrationBoundary } from '@tanstack/react-query'
import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { Footer } from '#components/shell/footer.tsx'
import { Header, SkipLinks } from '#components/shell/header.tsx'
import { LiveUpdates } from '#components/shell/live-updates.tsx'
import { TimeBanner } from '#components/time/time-machine.tsx'
import { parseTheme, THEME_COOKIE } from '#components/ui/theme.ts'
import { createQueryClient } from '#lib/client/query-client.ts'
import { statusOptions } from '#lib/client/query-options.ts'
import packageFile from '../package.json' with { type: 'json' }
import { FirstVisit } from './first-visit.tsx'
import { loadStatus } from './status.ts'

/** What stands around every page of the dashboard, and around none that other sites embed: header, state of the sync, the
 * instant that is looked at, main. */
export async function SiteFrame({ children }: { children: ReactNode }) {
  const theme = parseTheme((await cookies()).get(THEME_COOKIE)?.value)
  const queryClient = createQueryClient()
  await queryClient.prefetchQuery({ ...statusOptions(), queryFn: () => loadStatus() })
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <LiveUpdates />
      <SkipLinks />
      <Header theme={theme} />
      <TimeBanner />
      <FirstVisit />
      <main id="main" tabIndex={-1} className="flex min-w-0 grow flex-col outline-none">
        {children}
      </main>
      <Footer version={packageFile.version} />
    </HydrationBoundary>
  )
}
