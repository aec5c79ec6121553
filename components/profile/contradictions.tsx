'use client'

import { useQuery } from '@tanstack/react-query'
import { FailureNotice } from '#components/answer/failure-notice.tsx'
import { useFormats } from '#components/format/use-formats.tsx'
import { ZonedLink } from '#components/time/zoned-link.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { facetsOptions } from '#lib/client/query-options.ts'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { QUALITIES } from '#lib/contract/quality.ts'
import { QUALITY_RULES } from '#lib/contract/quality-definitions.ts'
import { type Subject, toContradictionsHref, toSubjectQuery } from './contradictions-query.ts'

const ROW_PX = 26

type ContradictionsProps = {
  /** Whose ratings: a symbol's, or a member's. */
  query: Subject
  /** The instant (seconds since 1970) that the page stands at; null is now. */
  asof: number | null
}

/**
 * How many ratings of a symbol or a member fall under each lens of data quality, each the way to them. Asked by the
 * browser alone, so that no page waits for it; the list's place is kept meanwhile.
 */
export function Contradictions({ query, asof }: ContradictionsProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery(
    facetsOptions(toSubjectQuery(query, asof)),
  )
  const { formatCounted } = useFormats()
  // A symbol's or a member's ratings, and no filter by label: the labels make up all of them.
  const n = data?.data.rating.reduce((sum, { count }) => sum + count, 0)
  return (
    <section
      aria-busy={(data === undefined && error === null) || isPlaceholderData}
      aria-label="Data quality"
      className={classNames('min-w-0', isPlaceholderData && 'opacity-60')}
    >
      <h3 className="pb-1.5 text-sm">
        Data quality{n !== undefined && `, of ${formatCounted(n, 'rating')}`}
      </h3>
      {data !== undefined && <Found asof={asof} lenses={data.data.quality} query={query} />}
      {data === undefined && error === null && <Skeleton height={QUALITIES.length * ROW_PX} />}
      {data === undefined && error !== null && (
        <FailureNotice error={error} onRetry={() => void refetch()} what="Data quality" />
      )}
    </section>
  )
}

/** Every lens, so that what was looked for is seen too; one line where nothing was found. */
function Found({ lenses, query, asof }: ContradictionsProps & { lenses: Facets['quality'] }) {
  const { formatCount } = useFormats()
  if (lenses.every(({ count }) => count === 0)) {
    return <p className="text-ink-3">Nothing contradicts itself.</p>
  }
  return (
    <ul>
      {lenses.map(({ value, label, count }) => (
        <li key={value} style={{ height: ROW_PX }} title={QUALITY_RULES[value]}>
          {count === 0 ? (
            <span className={classNames(ROW, 'text-ink-3')}>
              {label} <span>0</span>
            </span>
          ) : (
            <ZonedLink
              className={classNames(ROW, 'rounded-sm hover:bg-sunk')}
              href={toContradictionsHref(query, value, asof)}
              prefetch={false}
            >
              {label} <span>{formatCount(count)}</span>
            </ZonedLink>
          )}
        </li>
      ))}
    </ul>
  )
}

const ROW = 'flex h-full items-center justify-between gap-x-3'
