'use client'

import { useQuery } from '@tanstack/react-query'
import { ZonedLink } from '#components/address/outlook.tsx'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { useFormats } from '#components/format/use-formats.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { Panel } from '#components/ui/panels.tsx'
import { useSeen } from '#components/ui/use-seen.ts'
import { pageOptions } from '#lib/client/list-options.ts'
import { EVERY_DIFFERENCE } from '#lib/contract/lists/edition-differences.ts'
import { differenceQuestions } from '#lib/contract/operations/edition-differences.ts'
import { toSentence } from './edition-differences-texts.ts'

const LINES_PX = 42

/** What differs between the two newest weekly dumps, in a sentence: rows that were edited are in no figure of a period. */
export function NewestEditions() {
  const [ref, isSeen] = useSeen()
  const formats = useFormats()
  const { data, error, refetch } = useQuery({
    ...pageOptions(differenceQuestions.differences, { ...EVERY_DIFFERENCE, per_page: 1 }),
    enabled: isSeen,
  })
  return (
    <div ref={ref} className="min-w-0">
      <Panel title="The two newest weekly dumps">
        {data === undefined && error === null && <Skeleton height={LINES_PX} />}
        {error !== null && (
          <FailureNotice
            error={error}
            onRetry={() => void refetch()}
            what="What differs between the dumps"
          />
        )}
        {data && (
          <p className="max-w-text">
            {data.meta.between === null
              ? 'Fewer than two dumps of the posts are kept yet.'
              : toSentence(data.meta.between, data.meta.kinds, formats)}{' '}
            {data.meta.between && (
              <ZonedLink className="link" href="/downloads/changes">
                What changed between editions
              </ZonedLink>
            )}
          </p>
        )}
      </Panel>
    </div>
  )
}
