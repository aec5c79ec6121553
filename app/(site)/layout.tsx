import type { ReactNode } from 'react'
import { SettingsProvider } from '#components/list/columns/table-settings.tsx'
import { PermissionsProvider } from '#components/permissions/use-may.tsx'
import { toDemoText, toFirstVisitText } from '#components/shell/first-visit.ts'
import {
  DemoLine,
  FirstVisitLine,
  Footer,
  Header,
  LiveUpdates,
  SignedOutUpdates,
  SkipLinks,
  WatchingUpdates,
} from '#components/shell/frame.tsx'
import { TimeBanner } from '#components/time/time-machine.tsx'
import { createQueryClient } from '#lib/client/query-client.ts'
import { facetsOptions, statusSummaryOptions, toStatusSummary } from '#lib/client/query-options.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { fetchInProcess } from '#lib/server/pages/fetch-in-process.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { Hydrated } from '../hydrated.tsx'
import { readTableSettings } from '../page-settings.ts'
import { hasSignInPage, readPermissions } from '../permissions.ts'
import { loadStatus } from '../status.ts'
import { Arrival } from './arrival.tsx'

export default async function SiteLayout({ children }: { children: ReactNode }) {
  const queryClient = createQueryClient()
  await queryClient.prefetchQuery({
    ...statusSummaryOptions(),
    queryFn: async () => toStatusSummary((await loadStatus()).data),
  })
  const texts = await loadTexts()
  return (
    <Hydrated client={queryClient}>
      <PermissionsProvider value={readPermissions()}>
        <LiveUpdates />
        {hasSignInPage() && <SignedOutUpdates />}
        <WatchingUpdates />
        <SkipLinks />
        <Header />
        {texts?.demo && <DemoLine text={texts.demo} />}
        <TimeBanner />
        {texts && (
          <FirstVisitLine
            text={texts.firstVisit}
            className={texts.demo ? 'max-md:hidden' : undefined}
          />
        )}
        <main
          id="main"
          tabIndex={-1}
          className="mx-auto flex w-full max-w-[100rem] min-w-0 grow flex-col outline-none"
        >
          <Arrival>
            <SettingsProvider value={await readTableSettings()}>{children}</SettingsProvider>
          </Arrival>
        </main>
        <Footer version={packageFile.version} />
      </PermissionsProvider>
    </Hydrated>
  )
}

/** Null while the archive is empty or not open. */
async function loadTexts(): Promise<{ firstVisit: string; demo: string | null } | null> {
  const answers = await Promise.all([
    loadStatus(),
    createQueryClient().fetchQuery(facetsOptions(EVERY_RATING, fetchInProcess)),
  ]).catch(() => null)
  if (answers === null) return null
  const [{ data: status }, { data: facets }] = answers
  const { bounds, distinct } = facets
  if (bounds.created === null) return null
  const { service } = status
  return {
    firstVisit: toFirstVisitText({ service, ...distinct }),
    demo: service.invented ? toDemoText(distinct) : null,
  }
}
