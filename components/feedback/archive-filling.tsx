'use client'

import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent } from 'react'
import { classNames } from '#components/ui/class-names.ts'
import { ProgressBar } from '#components/ui/loading.tsx'
import { EmptyState } from '#components/ui/messages.tsx'
import { statusSummaryOptions } from '#lib/client/query-options.ts'
import type { Progress, StatusSummary } from '#lib/contract/answers/status.ts'
import { describePace, describeProgress, describeStep } from './progress-text.ts'

const COMING = 'The first ratings are being loaded'

const TITLES: Record<StatusSummary['sync']['state'], string> = {
  starting: COMING,
  bootstrapping: COMING,
  following: COMING,
  reconciling: COMING,
  idle: 'There are no ratings yet',
  waiting: 'Waiting for the first ratings',
  stopped: 'No rating could be fetched',
}

type ArchiveFillingProps = { status: StatusSummary | undefined; className?: string }

export function ArchiveFilling({ status, className }: ArchiveFillingProps) {
  const { progress, reason, state } = status?.sync ?? {}
  return (
    <EmptyState className={className} title={state ? TITLES[state] : COMING}>
      <p>{reason ?? 'They appear here as soon as they arrive.'}</p>
      {state === 'waiting' && <p>The sync retries automatically. No action is needed.</p>}
      {progress && <FillingProgress progress={progress} />}
    </EmptyState>
  )
}

export function ArchiveWaiting({ onArrival }: { onArrival: () => void }) {
  const status = useQuery(statusSummaryOptions()).data
  const hasArrived = (status?.archive.ratings ?? 0) > 0
  const arrive = useEffectEvent(onArrival)
  useEffect(() => {
    if (hasArrived) arrive()
  }, [hasArrived])
  return <ArchiveFilling status={status} className="rounded-lg border bg-surface" />
}

export function ArrivalPage({ title }: { title: string }) {
  const router = useRouter()
  return (
    <>
      <h1 className="text-2xl wrap-anywhere">{title}</h1>
      <ArchiveWaiting onArrival={() => router.refresh()} />
    </>
  )
}

function FillingProgress({ progress }: { progress: Progress }) {
  const { stages, current } = selectStages(progress.step)
  return (
    <div className="mx-auto mt-4 flex w-96 max-w-full flex-col gap-2 text-left">
      <ol
        aria-label="Steps of filling the archive"
        className="flex flex-wrap gap-x-4 gap-y-1 text-sm"
      >
        {stages.map(({ name }, place) => (
          <li
            key={name}
            aria-current={place === current ? 'step' : undefined}
            className={classNames('flex items-baseline gap-1.5', place > current && 'text-ink-3')}
          >
            <span aria-hidden className="text-ink-3">
              {place < current ? '✓' : place + 1}
            </span>
            <span className={classNames(place === current && 'font-medium text-ink')}>{name}</span>
            {place < current && <span className="sr-only">done</span>}
          </li>
        ))}
      </ol>
      <ProgressBar
        label={describeStep(progress)}
        done={progress.done}
        total={progress.total}
        detail={describeProgress(progress)}
      />
      <p className="min-h-[1lh] text-sm text-ink-3">{describePace(progress)}</p>
    </div>
  )
}

type Step = Progress['step']
type Stage = { name: string; steps: readonly Step[] }

const BY_DUMP: readonly Stage[] = [
  { name: 'Fetch the dump', steps: ['fetching', 'verifying'] },
  { name: 'Import its rows', steps: ['importing'] },
  { name: 'Work out changes', steps: ['deriving'] },
]
const BY_PAGES: readonly Stage[] = [
  { name: 'Check the service', steps: ['discovering'] },
  { name: 'Read its pages', steps: ['reading'] },
  { name: 'Work out changes', steps: ['deriving'] },
]

const at = (stages: readonly Stage[], step: Step) =>
  stages.findIndex(({ steps }) => steps.includes(step))

export function selectStages(step: Step): { stages: readonly Stage[]; current: number } {
  const stages = at(BY_DUMP, step) >= 0 ? BY_DUMP : BY_PAGES
  return { stages, current: at(stages, step) }
}
