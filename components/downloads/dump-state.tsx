'use client'

import { describeProgress, describeStep } from '#components/answer/progress-text.ts'
import { formatEdition } from '#components/format/instant.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { Button } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { ProgressBar } from '#components/ui/progress-bar.tsx'
import type { Dump } from '#lib/contract/answers/status.ts'
import { useFetchDump } from './use-fetch-dump.ts'

/** What stands in the way of the newest edition, and the way round it. Nothing where it is here. */
export function DumpState({ dump }: { dump: Dump }) {
  const { formatCounted } = useFormats()
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
        {dump.reason ?? 'Nobody has asked for it yet.'}
        {dump.edition && ` Until then you get that of ${formatEdition(dump.edition.edition)}.`}
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
  const formats = useFormats()
  return (
    <ProgressBar
      label={
        progress ? `${describeStep(progress)} the ${kind} dump` : `Asking for the ${kind} dump`
      }
      done={progress?.done ?? 0}
      total={progress?.total ?? null}
      detail={progress ? describeProgress(progress, formats) : undefined}
    />
  )
}
