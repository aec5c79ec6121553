import { Button } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { ApiError } from '#lib/client/fetch-api.ts'

type FailureNoticeProps = {
  /** What could not be had: "The symbols". */
  what: string
  error: unknown
  onRetry: () => void
  /** What the reader sees in its place: "The rows below were read at 14:03 UTC." */
  kept?: string
  className?: string
}

/** Why something could not be loaded, what is shown instead, and the way to try again. */
export function FailureNotice({ what, error, onRetry, kept, className }: FailureNoticeProps) {
  const reason = error instanceof ApiError ? error.message : 'Something went wrong on our side.'
  return (
    <Notice
      tone="failure"
      title={`${what} could not be loaded`}
      action={<Button onClick={onRetry}>Try again</Button>}
      className={className}
    >
      {reason} {kept}
    </Notice>
  )
}
