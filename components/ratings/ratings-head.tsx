import { ColumnsMenu } from '#components/columns/columns-menu.tsx'
import type { Columns } from '#components/columns/use-columns.ts'
import { ExportControl } from '#components/export/export-control.tsx'
import type { Formats } from '#components/format/numbers.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { TimeMachine } from '#components/time/time-machine.tsx'
import { Button } from '#components/ui/button.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { PageHeader } from '#components/ui/page-layout.tsx'
import { ViewsButton } from '#components/views/views-button.tsx'
import type { RatingsPage } from '#lib/contract/answers/ratings.ts'
import { FilterChips } from './filter-chips.tsx'
import type { QueryProps } from './query-change.ts'
import { toQueryTitle } from './query-title.ts'
import { selectChips } from './select-filters.ts'

type RatingsHeadProps = QueryProps & {
  page: RatingsPage | undefined
  columns: Columns
  onFilters: () => void
  /** The page is not the one that was asked for, and that one will not come by itself. */
  hasFailed: boolean
  /** There is no rating at all yet. */
  isFirstStart: boolean
}

/** How many ratings the filters leave, the filters themselves, and what can be done with the rows. */
export function RatingsHead({ query, change, page, columns, ...rest }: RatingsHeadProps) {
  const formats = useFormats()
  return (
    <PageHeader
      title={toTitle(page, rest.isFirstStart, formats)}
      detail={
        page && page.page.total !== page.meta.all
          ? `of ${formats.formatCount(page.meta.all)}`
          : undefined
      }
      actions={
        <>
          <Button
            className="max-sm:px-2.5 lg:hidden"
            aria-haspopup="dialog"
            onClick={rest.onFilters}
          >
            Filters <FilterCount count={selectChips(query).length} />
          </Button>
          <TimeMachine />
          <ViewsButton
            view={query}
            change={change}
            toSuggestion={() => toQueryTitle(query, formats).replace(/ · Ratings$/, '')}
          />
          <ColumnsMenu columns={columns} />
          {!rest.isFirstStart && (
            <ExportControl
              query={query}
              counted={rest.hasFailed || !page ? null : toCounted(page)}
              shown={columns.shown}
            />
          )}
        </>
      }
    >
      <FilterChips query={query} change={change} />
    </PageHeader>
  )
}

const toCounted = ({ page, meta }: RatingsPage) => ({
  rows: page.total,
  asOf: meta.as_of,
  completeTo: meta.complete_to,
})

function toTitle(page: RatingsPage | undefined, isFirstStart: boolean, formats: Formats) {
  if (page) return formats.formatCounted(page.page.total, 'rating')
  return isFirstStart ? 'Ratings' : <HeadlineOutline />
}

const HeadlineOutline = () => (
  <>
    <span className="sr-only">Ratings</span>
    <Skeleton width={130} height={22} />
  </>
)

const FilterCount = ({ count }: { count: number }) =>
  count === 0 ? null : <span className="text-accent">{count}</span>
