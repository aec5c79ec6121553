'use client'

import { useFormats } from '#components/format/use-formats.tsx'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import type { Dump } from '#lib/contract/answers/status.ts'
import { DownloadButton } from './download-button.tsx'
import { DumpContents } from './dump-contents.tsx'
import { DumpFacts } from './dump-facts.tsx'
import { DUMP_CONTENTS } from './dump-names.ts'
import { DumpState } from './dump-state.tsx'
import { useFetchDump } from './use-fetch-dump.ts'

const TITLES: Record<Dump['kind'], string> = { posts: 'Posts dump', lookups: 'Lookups dump' }

type DumpCardProps = {
  dump: Dump
  /** The server's clock, in seconds since 1970; null where it is not known. */
  serverNow: number | null
  /** Where this dashboard is served, for the commands. */
  origin: string
}

/** One dump: how to take it away, what is known of it, what is in it. */
export function DumpCard({ dump, serverNow, origin }: DumpCardProps) {
  const id = `${dump.kind}-dump`
  return (
    <section
      aria-labelledby={id}
      className="grid rounded-lg border bg-surface lg:grid-cols-[minmax(20rem,25rem)_minmax(0,1fr)]"
    >
      <div className="flex min-w-0 flex-col gap-4 p-5">
        <div className="flex flex-col gap-1">
          <h2 id={id} className="text-lg">
            {TITLES[dump.kind]}
          </h2>
          <p className="text-ink-3">{DUMP_CONTENTS[dump.kind]}</p>
        </div>
        <DownloadButton dump={dump} />
        <DumpState dump={dump} />
        <DumpFacts dump={dump} serverNow={serverNow} />
      </div>
      {/* As high as the facts beside it, whatever is in it: what is longer scrolls. */}
      <div className="relative min-w-0 border-t p-5 lg:my-5 lg:border-t-0 lg:border-l lg:p-0">
        <div className="flex min-w-0 flex-col gap-2 lg:absolute lg:inset-x-5 lg:inset-y-0">
          {dump.edition ? <DumpContents dump={dump} origin={origin} /> : <NothingYet dump={dump} />}
        </div>
      </div>
    </section>
  )
}

function NothingYet({ dump }: { dump: Dump }) {
  const { formatCounted } = useFormats()
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
      The first download fetches the edition from the service, checks it and keeps it here. After
      that it costs nobody anything.
    </EmptyState>
  )
}
