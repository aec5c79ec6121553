'use client'

import { describeProgress, describeStep } from '#components/answer/progress-text.ts'
import { formatRelative } from '#components/format/relative.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { StateDot } from '#components/shell/freshness.tsx'
import { Button } from '#components/ui/button.tsx'
import { LiveRegion } from '#components/ui/live-region.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { ProgressBar } from '#components/ui/progress-bar.tsx'
import type { Status } from '#lib/contract/answers/status.ts'
import { canSyncNow, SYNC_WORDS } from './describe-sync.ts'
import { useSyncNow } from './use-sync-now.ts'

type SyncPanelProps = {
  sync: Status['sync']
  /** Requests that a sync now would spend. */
  cost: number
  /** The server's clock in seconds. */
  now: number
}

/** What the sync does, in words, and the one thing that can be asked of it. */
export function SyncPanel({ sync, cost, now }: SyncPanelProps) {
  const syncNow = useSyncNow()
  const formats = useFormats()
  const { tone, title, meaning } = SYNC_WORDS[sync.state]
  return (
    <section aria-label="Sync" className="flex flex-col gap-4 rounded-lg border bg-surface p-5">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <h2 className="flex items-center gap-2.5 text-lg">
            <StateDot tone={tone} />
            {title}
          </h2>
          <p className="mt-1 max-w-[75ch] text-ink-2">{sync.reason ?? meaning}</p>
          {sync.next_at !== null && sync.progress === null && (
            <p className="text-ink-3">
              {syncNow.isSuccess && 'Asked for, as soon as the budget allows. '}
              Next check {sync.next_at > now ? formatRelative(sync.next_at, now) : 'now'}
            </p>
          )}
        </div>
        <Button onClick={() => syncNow.mutate()} disabled={syncNow.isPending || !canSyncNow(sync)}>
          Sync now
          <span className="font-normal text-ink-3">
            {' '}
            · {formats.formatCounted(cost, 'request')}
          </span>
        </Button>
      </div>
      {sync.progress && (
        <ProgressBar
          label={describeStep(sync.progress)}
          done={sync.progress.done}
          total={sync.progress.total}
          detail={describeProgress(sync.progress, formats)}
        />
      )}
      {syncNow.isError && (
        <Notice tone="failure" title="The sync could not be asked for">
          {syncNow.error.message}
        </Notice>
      )}
      <LiveRegion message={syncNow.isSuccess ? 'Sync asked for' : ''} />
    </section>
  )
}
