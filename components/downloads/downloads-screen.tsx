'use client'

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ShortHash } from '#components/feedback/dump-edition.tsx'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { describeProgress, describeStep } from '#components/feedback/progress-text.ts'
import { formatAge, formatCountdown, formatEdition } from '#components/format/instants.ts'
import { formatBytes, formatCount, formatCounted } from '#components/format/numbers.ts'
import { AsOfLink } from '#components/time/as-of.tsx'
import { Instant } from '#components/time/instant.tsx'
import { Button } from '#components/ui/button.tsx'
import { CopyButton } from '#components/ui/copy.tsx'
import { ProgressBar, Skeleton } from '#components/ui/loading.tsx'
import { EmptyState, Notice } from '#components/ui/messages.tsx'
import { PageBody, PageHeader } from '#components/ui/page-layout.tsx'
import { type Fact, Facts } from '#components/ui/panels.tsx'
import { useNow } from '#components/ui/use-browser.ts'
import { dumpsOptions } from '#lib/client/list-options.ts'
import { statusSummaryOptions } from '#lib/client/query-options.ts'
import type { Dump, Edition, LookupsImport } from '#lib/contract/answers/status.ts'
import { DumpContents } from './dump-contents.tsx'
import { DownloadButton, DUMP_CONTENTS, useFetchDump } from './dump-download.tsx'
import { ImportedLookups } from './imported-lookups.tsx'

export function DownloadsScreen() {
  const dumps = useQuery(dumpsOptions())
  const status = useQuery(statusSummaryOptions())
  const serverNow = status.data?.now ?? null
  const cards = dumps.data?.data
  return (
    <PageBody>
      <DumpsHeader>{cards && toAgeText(Object.values(cards), serverNow)}</DumpsHeader>
      {dumps.isError && (
        <FailureNotice
          what="The dumps"
          error={dumps.error}
          kept={cards ? 'The content below may be out of date.' : 'The ratings here still work.'}
          onRetry={() => void dumps.refetch()}
        />
      )}
      {cards && (
        <>
          <DumpCard dump={cards.posts} serverNow={serverNow} />
          <DumpCard dump={cards.lookups} serverNow={serverNow} />
        </>
      )}
      {dumps.isPending && <DumpCardsSkeleton />}
    </PageBody>
  )
}

const DumpsHeader = ({ children }: { children?: ReactNode }) => (
  <div className="flex flex-col gap-1">
    <PageHeader title="Weekly dumps" />
    <p className="min-h-10 text-ink-2 md:min-h-5">{children}</p>
  </div>
)

const DumpCardsSkeleton = () => (
  <div aria-busy className="flex flex-col gap-4">
    <Skeleton className="min-h-[685px] rounded-lg sm:min-h-[656px] md:min-h-[542px] lg:min-h-[290px]" />
    <Skeleton className="min-h-[685px] rounded-lg sm:min-h-[656px] md:min-h-[542px] lg:min-h-[290px]" />
  </div>
)

/** `serverNow`: seconds since 1970, or null if unknown. */
function toAgeText(dumps: readonly Dump[], serverNow: number | null) {
  const said = dumps.flatMap(({ kind, edition }) => {
    if (edition === null) return []
    const age =
      serverNow === null ? '' : `, ${formatAge(serverNow - edition.next_due_at + WEEK)} old`
    return `${SUBJECTS[kind]}: ${formatBytes(edition.bytes)}${age}.`
  })
  const known = said.length === 0 ? 'No dump is stored here yet.' : said.join(' ')
  return `${known} New dumps come on Sundays at 00:00 Eastern.`
}

/** Seconds. */
const WEEK = 7 * 86_400

const SUBJECTS: Record<Dump['kind'], string> = { posts: 'Posts', lookups: 'Look-ups' }

const LEADS_TO: Record<Dump['kind'], { href: string; children: string }> = {
  posts: { href: '/changes', children: 'What changed this week' },
  lookups: { href: '/lookups', children: 'Browse look-ups' },
}

const TITLES: Record<Dump['kind'], string> = { posts: 'Posts dump', lookups: 'Lookups dump' }

type DumpCardProps = {
  dump: Dump & { imported?: LookupsImport }
  /** Seconds since 1970, or null if unknown. */
  serverNow: number | null
}

function DumpCard({ dump, serverNow }: DumpCardProps) {
  const id = `${dump.kind}-dump`
  return (
    <section
      aria-labelledby={id}
      className="grid rounded-lg border bg-surface lg:grid-cols-[minmax(20rem,25rem)_minmax(0,1fr)]"
    >
      <div className="grid min-w-0 content-start gap-x-8 gap-y-4 p-5 md:max-lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <div className="flex flex-col gap-1">
            <h2 id={id} className="text-lg">
              {TITLES[dump.kind]}
            </h2>
            <p className="text-ink-3">{DUMP_CONTENTS[dump.kind]}</p>
          </div>
          <DownloadButton dump={dump} />
          <AsOfLink className="link self-start" {...LEADS_TO[dump.kind]} />
          <DumpState dump={dump} />
          {dump.imported && <ImportedLookups imported={dump.imported} />}
        </div>
        <DumpFacts dump={dump} serverNow={serverNow} />
      </div>
      <div className="relative min-w-0 border-t p-5 lg:my-5 lg:border-t-0 lg:border-l lg:p-0">
        <div className="flex min-w-0 flex-col gap-2 lg:absolute lg:inset-x-5 lg:inset-y-0">
          {dump.edition ? <DumpContents dump={dump} /> : <NothingYet dump={dump} />}
        </div>
      </div>
    </section>
  )
}

function NothingYet({ dump }: { dump: Dump }) {
  const fetchDump = useFetchDump(dump.kind)
  if (dump.state === 'fetching' || fetchDump.isPending) {
    return (
      <div aria-busy className="flex flex-col gap-5 pt-2">
        {[...Array(8).keys()].map((line) => (
          <Skeleton key={line} />
        ))}
      </div>
    )
  }
  return (
    <EmptyState
      title="Not fetched yet"
      action={
        dump.state === 'absent' && (
          <Button onClick={() => fetchDump.mutate()}>
            Fetch it now<span className="sr-only">: {dump.kind} dump</span>
            <span className="font-normal text-ink-3"> · {formatCounted(dump.cost, 'request')}</span>
          </Button>
        )
      }
    >
      {fetchDump.isError && (
        <p role="alert" className="pb-2 text-rating-text-1">
          {fetchDump.error.message}
        </p>
      )}
      The first download fetches the edition from the service, verifies it and stores it here. Later
      downloads need no request.
    </EmptyState>
  )
}

function DumpState({ dump }: { dump: Dump }) {
  const fetchDump = useFetchDump(dump.kind)
  const isFetching = dump.state === 'fetching' || fetchDump.isPending
  if (isFetching) return <FetchingBar dump={dump} />
  const cost = (
    <span className="font-normal text-ink-3"> · {formatCounted(dump.cost, 'request')}</span>
  )
  const retry = (
    <Button size="small" onClick={() => fetchDump.mutate()}>
      Try again<span className="sr-only"> to fetch the {dump.kind} dump</span>
      {cost}
    </Button>
  )
  if (dump.state === 'stale') {
    return (
      <Notice
        tone="warning"
        title="A newer edition is due"
        action={
          <Button size="small" onClick={() => fetchDump.mutate()}>
            Fetch it<span className="sr-only">: {dump.kind} dump</span>
            {cost}
          </Button>
        }
      >
        {dump.reason ?? 'It has not been requested yet.'}
        {dump.edition &&
          ` Until then, downloads serve the edition of ${formatEdition(dump.edition.edition)}.`}
      </Notice>
    )
  }
  if (dump.state === 'failed') {
    return (
      <Notice tone="failure" title="The dump could not be fetched" action={retry}>
        {dump.reason ?? 'The service did not answer.'}
      </Notice>
    )
  }
  if (dump.aside !== null) {
    return (
      <Notice tone="warning" title="A newer edition was set aside">
        {dump.aside}
      </Notice>
    )
  }
  return null
}

function FetchingBar({ dump: { kind, progress } }: { dump: Dump }) {
  return (
    <ProgressBar
      label={
        progress ? `${describeStep(progress)} the ${kind} dump` : `Requesting the ${kind} dump`
      }
      done={progress?.done ?? 0}
      total={progress?.total ?? null}
      detail={progress ? describeProgress(progress) : undefined}
    />
  )
}

function DumpFacts({ dump, serverNow }: { dump: Dump; serverNow: number | null }) {
  const next: Fact = {
    term: 'Next',
    detail: <NextEdition at={dump.next_due_at} serverNow={serverNow} />,
  }
  const { edition } = dump
  if (!edition) {
    return (
      <Facts
        rows={[
          { term: 'Edition', detail: 'none stored here yet' },
          next,
          {
            term: 'Quota needed',
            detail: `${formatCounted(dump.cost, 'request')}, once per week for all readers`,
          },
        ]}
      />
    )
  }
  return (
    <Facts
      rows={[
        { term: 'Edition', detail: formatEdition(edition.edition) },
        next,
        { term: 'Rows', detail: formatCount(edition.rows) },
        { term: 'SHA-256', detail: <Checksum edition={edition} /> },
      ]}
    />
  )
}

function NextEdition({ at, serverNow }: { at: number; serverNow: number | null }) {
  const now = useNow(serverNow ?? at)
  return (
    <>
      {serverNow !== null && at > now && `in ${formatCountdown(at, now)}, `}
      <Instant seconds={at} />
    </>
  )
}

const Checksum = ({ edition: { sha256 } }: { edition: Edition }) => (
  <span className="flex flex-wrap items-center gap-x-2">
    <ShortHash sha256={sha256} />
    <span className="text-ink-3">verified</span>
    <CopyButton text={sha256} what="SHA-256" className="-my-1 -ml-2" />
  </span>
)
