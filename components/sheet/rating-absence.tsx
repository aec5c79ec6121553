import { FailureNotice } from '#components/answer/failure-notice.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { ApiError } from '#lib/client/api-error.ts'
import type { Outlook } from '#lib/contract/outlook.ts'

type RatingAbsenceProps = { id: number; error: Error; outlook: Outlook; onRetry: () => void }

/** Why a rating is not shown: there is none of that id, or it could not be loaded. */
export function RatingAbsence({ id, error, outlook, onRetry }: RatingAbsenceProps) {
  if (!(error instanceof ApiError && error.status === 404)) {
    return <FailureNotice what={`Rating ${id}`} error={error} onRetry={onRetry} />
  }
  return (
    <div role="alert">
      <EmptyState title={`There is no rating ${id}`}>
        {outlook.asof === null
          ? 'No rating in the archive has this id.'
          : 'No rating of this id existed at the instant that the page is rewound to.'}
      </EmptyState>
    </div>
  )
}
