'use client'

import { EmptyState } from '#components/ui/empty-state.tsx'
import type { Status } from '#lib/contract/answers/status.ts'
import { FillingProgress } from './filling-progress.tsx'

const COMING = 'The first ratings are on their way'

const TITLES: Record<Status['sync']['state'], string> = {
  starting: COMING,
  bootstrapping: COMING,
  following: COMING,
  reconciling: COMING,
  idle: 'Nobody has rated anything yet',
  waiting: 'Waiting for the first ratings',
  stopped: 'No rating could be fetched',
}

type ArchiveFillingProps = { status: Status | undefined; className?: string }

/** The archive is empty still: what the sync is doing, as it does it. What stands here fills by itself. */
export function ArchiveFilling({ status, className }: ArchiveFillingProps) {
  const { progress, reason, state } = status?.sync ?? {}
  return (
    <EmptyState className={className} title={state ? TITLES[state] : COMING}>
      <p>{reason ?? 'They appear here as soon as the archive has them.'}</p>
      {state === 'waiting' && <p>The sync tries again by itself; nothing needs to be done.</p>}
      {progress && <FillingProgress progress={progress} />}
    </EmptyState>
  )
}
