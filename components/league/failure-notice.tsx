import { Button } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { ApiError } from '#lib/client/fetch-api.ts'

type FailureNoticeProps = {
  /** What could not be had: "The symbols". */
  what: string
  error: unknown
  onRetry: () => void
  /** Older data stand below. */
  isStale?: boolean
}

/** Why something could not be loaded, and the way to try again. */
export function FailureNotice({ what, error, onRetry, isStale = false }: FailureNoticeProps) {
  const reason = error instanceof ApiError ? error.message : 'Something went wrong on our side.'
  return (
    <Notice
      tone="failure"
      title={`${what} could not be loaded`}
      action={<Button onClick={onRetry}>Try again</Button>}
    >
      {reason} {isStale && 'What stands below was loaded earlier.'}
    </Notice>
  )
}
