import type { ReactNode } from 'react'
import { ZoneSelect } from '#components/time/zone-select.tsx'
import { Select } from '#components/ui/fields.tsx'
import { Pager } from '#components/ui/pager.tsx'
import type { PageInfo } from '#lib/contract/answers/envelope.ts'
import { type QueryProps, toHref, withPage, withPerPage } from './query-change.ts'
import { loadSeenRows } from './ratings-rows.tsx'

const SIZES = [25, 50, 100, 250, 500]

type RatingsFooterProps = QueryProps & {
  info: PageInfo
  /** Stands before the choice of the page size. */
  children?: ReactNode
}

/** Where one is in the rows, the steps from page to page, and the zone of every time above. */
export function RatingsFooter({ query, change, info, children }: RatingsFooterProps) {
  const sizes = [...new Set([...SIZES, query.per_page])].sort((a, b) => a - b)
  return (
    <Pager
      number={query.page}
      pages={info.pages}
      total={info.total}
      size={query.per_page}
      hrefFor={(page) => toHref(withPage(query, page))}
      onPage={(page) => change((last) => withPage(last, page))}
    >
      <span className="flex flex-wrap items-center gap-2">
        {children}
        <Select
          label="Rows per page"
          labelHidden
          value={String(query.per_page)}
          options={sizes.map((size) => ({ value: String(size), label: `${size} per page` }))}
          onChange={({ target }) => {
            // What draws many rows comes while they do.
            loadSeenRows().catch(() => undefined)
            change((last) => withPerPage(last, Number(target.value)))
          }}
        />
        <ZoneSelect onZone={(tz) => change((last) => ({ ...last, tz }))} />
      </span>
    </Pager>
  )
}
