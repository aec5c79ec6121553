import { Notice } from '#components/ui/notice.tsx'
import type { Issue } from '#lib/contract/faults.ts'
import { toIgnoredText } from './ignored-text.ts'
import type { QueryProps } from './query-change.ts'
import { QueryLink } from './query-link.tsx'

type IgnoredNoticeProps = QueryProps & { ignored: readonly Issue[]; params: URLSearchParams }

/** What could not be read in the address, and the way to the same view without it. */
export function IgnoredNotice({ query, change, ignored, params }: IgnoredNoticeProps) {
  if (ignored.length === 0) return null
  return (
    <Notice
      tone="warning"
      title="Ignored in the address"
      action={
        <QueryLink to={query} change={change} className="link">
          Leave it out
        </QueryLink>
      }
    >
      <span className="wrap-anywhere">{toIgnoredText(ignored, params)}.</span>
    </Notice>
  )
}
