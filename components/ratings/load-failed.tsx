import { formatInstant } from '#components/format/instant.ts'
import { Button } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/notice.tsx'
import type { RatingsPage } from '#lib/contract/answers/ratings.ts'

type LoadFailedProps = {
  error: Error
  /** What was read before, if anything: it is still shown. */
  page: RatingsPage | undefined
  onRetry: () => void
}

/** The rows that were asked for did not come: why, what is shown instead, and the way to ask again. */
export function LoadFailed({ error, page, onRetry }: LoadFailedProps) {
  return (
    <Notice
      tone="failure"
      title="These ratings could not be loaded"
      action={<Button onClick={onRetry}>Try again</Button>}
    >
      {error.message}{' '}
      {page &&
        `The rows below are from an earlier answer, of ${formatInstant(page.meta.as_of)} UTC.`}
    </Notice>
  )
}
