import type { ReactNode } from 'react'
import { createFormats } from '#components/format/numbers.ts'
import { PermissionsProvider } from '#components/permissions/use-may.tsx'
import { toFirstVisitText, toVisitedCookie } from '#components/shell/first-visit.ts'
import {
  FirstVisitLine,
  Footer,
  Header,
  LiveUpdates,
  SkipLinks,
  WatchingUpdates,
} from '#components/shell/frame.tsx'
import { TimeBanner } from '#components/time/time-machine.tsx'
import { createQueryClient } from '#lib/client/query-client.ts'
import { facetsOptions, statusSummaryOptions, toStatusSummary } from '#lib/client/query-options.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { askInProcess } from '#lib/server/pages/ask-in-process.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { Hydrated } from '../hydrated.tsx'
import { readMarks, readPermissions } from '../reader.ts'
import { loadStatus } from '../status.ts'
import { Arrival } from './arrival.tsx'

/**
 * What stands around every page of the dashboard: header, state of the sync, the instant that is looked at, main. What
 * other sites embed stands beside this folder, in `app/embed`, and has none of it.
 */
export default async function SiteLayout({ children }: { children: ReactNode }) {
  const queryClient = createQueryClient()
  await queryClient.prefetchQuery({
    ...statusSummaryOptions(),
    queryFn: async () => toStatusSummary((await loadStatus()).data),
  })
  return (
    <Hydrated client={queryClient}>
      <PermissionsProvider value={await readPermissions()}>
        <LiveUpdates />
        <WatchingUpdates />
        <SkipLinks />
        <Header />
        <TimeBanner />
        <FirstVisit />
        <main id="main" tabIndex={-1} className="flex min-w-0 grow flex-col outline-none">
          <Arrival>{children}</Arrival>
        </main>
        <Footer version={packageFile.version} />
      </PermissionsProvider>
    </Hydrated>
  )
}

/** What a newcomer should know, drawn with the page so that nothing moves. Who has put it away does not see it. */
async function FirstVisit() {
  const text = await loadFirstVisitText()
  return text === null ? null : <FirstVisitLine text={text} cookie={toVisitedCookie()} />
}

/** Null where there is no rating to speak of: an archive that is empty, or not open. */
async function loadFirstVisitText(): Promise<string | null> {
  const answers = await Promise.all([
    loadStatus(),
    createQueryClient().fetchQuery(facetsOptions(EVERY_RATING, askInProcess)),
  ]).catch(() => null)
  if (answers === null) return null
  const [{ data: status }, { data: facets }] = answers
  const { bounds, distinct } = facets
  if (bounds.created === null) return null
  // The bound is the second after the last rating.
  const newest = bounds.created.to - 1
  const { service, now } = status
  return toFirstVisitText({ service, ...distinct, newest, now }, createFormats(await readMarks()))
}
