'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { classNames } from '#components/ui/class-names.ts'
import { TableFrame } from '#components/ui/table.tsx'
import type { Facets, RatingsPage } from '#lib/contract/answers/ratings.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { BeyondEnd } from './beyond-end.tsx'
import { NoMatch } from './no-match.tsx'
import type { QueryProps } from './query-change.ts'
import { RatingsTable } from './ratings-table.tsx'

type RatingsBodyProps = QueryProps & {
  page: RatingsPage | undefined
  facets: Facets | undefined
  hidden: readonly string[]
  /** The rows are those of an earlier query, and others are on their way. */
  isOld: boolean
  /** Stands in place of the rows. */
  instead?: ReactNode
}

/** The table in its frame, and what stands in it where there are no rows. Old rows stay, dimmed, until new ones come. */
export function RatingsBody({ instead, isOld, ...props }: RatingsBodyProps) {
  const frame = useScrollBack(props.query, isOld)
  const { query, change, page } = props
  const info = page?.page
  const hasRows = page !== undefined && page.data.length > 0
  const isOutline = !hasRows && isOld
  return (
    <TableFrame
      ref={frame}
      aria-label="Table, scrolls sideways"
      aria-busy={isOld || (page === undefined && !instead)}
      className="min-h-[240px] lg:overflow-y-auto"
    >
      <div className={classNames(isOld && hasRows && DIMMED)}>
        <RatingsTable {...props} page={isOutline ? undefined : page} isBlank={Boolean(instead)} />
      </div>
      <div className="sticky left-0 empty:hidden">
        {instead}
        {!instead && !isOld && info?.total === 0 && <NoMatch query={query} change={change} />}
        {!isOld && info && info.total > 0 && info.number > info.pages && (
          <BeyondEnd query={query} change={change} info={info} />
        )}
      </div>
    </TableFrame>
  )
}

/** Only where it takes long enough to be seen. */
const DIMMED =
  '[&_tbody]:opacity-60 [&_tbody]:transition-opacity [&_tbody]:delay-100 [&_tbody]:duration-100'

/** Rows that are other rows begin at the first of them. */
function useScrollBack(query: RatingsQuery, isOld: boolean) {
  const frame = useRef<HTMLElement>(null)
  const shown = useRef(query)
  useEffect(() => {
    if (isOld || shown.current === query) return
    shown.current = query
    frame.current?.scrollTo({ top: 0 })
  }, [query, isOld])
  return frame
}
