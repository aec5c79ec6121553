import { formatBytes } from '#components/format/bytes.ts'
import { formatCount } from '#components/format/count.ts'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { ProgressBar } from '#components/ui/progress-bar.tsx'
import type { Progress, Status } from '#lib/contract/answers/state.ts'

const STEPS: Record<Progress['step'], string> = {
  fetching: 'Fetching the dump',
  verifying: 'Verifying the dump',
  importing: 'Importing ratings',
  deriving: 'Working out what came before what',
  reading: 'Reading pages of the service',
}

/** The archive is empty still: what the sync is doing, as it does it. The table fills by itself. */
export function FirstStart({ status }: { status: Status | undefined }) {
  const { progress, reason, state } = status?.sync ?? {}
  return (
    <EmptyState
      title={
        state === 'stopped' ? 'No rating could be fetched' : 'The first ratings are on their way'
      }
    >
      <p>
        {reason ?? 'They appear here as soon as the archive has them. Nothing needs to be done.'}
      </p>
      {progress && (
        <ProgressBar
          className="mx-auto mt-4 w-80 max-w-full text-left"
          label={STEPS[progress.step]}
          done={progress.done}
          total={progress.total}
          detail={toDetail(progress)}
        />
      )}
    </EmptyState>
  )
}

/** How far it is, in the step's own unit: `45,000 of 100,000 rows`. */
function toDetail({ done, total, unit }: Progress): string {
  if (unit === 'bytes')
    return total === null ? formatBytes(done) : `${formatBytes(done)} of ${formatBytes(total)}`
  return `${formatCount(done)}${total === null ? '' : ` of ${formatCount(total)}`} ${unit}`
}
