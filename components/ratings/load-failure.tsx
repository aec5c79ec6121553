import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { toZonedText, toZoneName } from '#components/format/instants.ts'
import type { RatingsPage } from '#lib/contract/answers/ratings.ts'

type Failure = { what: string; error: Error; kept?: string }

type Loaded = { page: RatingsPage | undefined; error: Error | null; countsError: Error | null }

/** What could not be loaded: the rows, or only the counts beside them; null where both came. */
export function selectFailure({ page, error, countsError }: Loaded, zone: string): Failure | null {
  if (error) {
    const kept = page
      ? `The rows below are from an earlier answer, of ${toZonedText(page.meta.as_of, zone)} ${toZoneName(zone)}.`
      : 'Nothing is lost: the archive holds every rating that was fetched.'
    return { what: 'These ratings', error, kept }
  }
  if (!countsError) return null
  return { what: 'The counts', error: countsError, kept: 'Those beside the filters may be old.' }
}

/** Says so where the timeline stands, as high as that: the rows that the reader still has do not move. */
export const LoadFailure = ({ onRetry, ...failure }: Failure & { onRetry: () => void }) => (
  <FailureNotice {...failure} onRetry={onRetry} className="min-h-[86px]" />
)
