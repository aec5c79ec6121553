import { useFormats } from '#components/format/use-formats.tsx'
import { EmptyState } from '#components/ui/messages.tsx'
import type { PageInfo } from '#lib/contract/answers/envelope.ts'
import { type QueryProps, withPage } from './query-change.ts'
import { QueryLink } from './query-link.tsx'

/** The address asks for a page behind the last one: it was longer once, or somebody counted on. */
export function BeyondEnd({ query, change, info }: QueryProps & { info: PageInfo }) {
  const { formatCount } = useFormats()
  return (
    <EmptyState
      title={`There is no page ${formatCount(query.page)}`}
      action={
        <QueryLink to={withPage(query, info.pages)} change={change} className="link">
          Go to the last page, {formatCount(info.pages)}
        </QueryLink>
      }
    >
      The {formatCount(info.total)} ratings of this view end before it.
    </EmptyState>
  )
}
