import { formatCount, formatCounted } from '#components/format/count.ts'
import { Button, ButtonLink } from '#components/ui/button.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import type { RatingsPage } from '#lib/contract/answers/ratings.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import { FilterChips } from './filter-chips.tsx'
import { type QueryProps, toExportHref } from './query-change.ts'
import { selectFilters } from './select-filters.ts'

type RatingsHeadProps = QueryProps & {
  page: RatingsPage | undefined
  columns: { hidden: readonly string[]; setHidden: (ids: readonly string[]) => void }
  onFilters: () => void
  /** The page is not the one that was asked for, and that one will not come by itself. */
  hasFailed: boolean
  /** There is no rating at all yet. */
  isFirstStart: boolean
}

/** How many ratings the filters leave, the filters themselves, and what can be done with the rows. */
export function RatingsHead({ query, change, page, columns, ...rest }: RatingsHeadProps) {
  return (
    <PageHeader
      title={toTitle(page, rest.isFirstStart)}
      detail={
        page && page.page.total !== page.meta.all ? `of ${formatCount(page.meta.all)}` : undefined
      }
      actions={
        <>
          <Button
            className="max-sm:px-2.5 lg:hidden"
            aria-haspopup="dialog"
            onClick={rest.onFilters}
          >
            Filters <FilterCount count={selectFilters(query).length} />
          </Button>
          <ColumnsMenu {...columns} />
          {!rest.isFirstStart && (
            <ExportLink query={query} total={rest.hasFailed ? null : (page?.page.total ?? null)} />
          )}
        </>
      }
    >
      <FilterChips query={query} change={change} />
    </PageHeader>
  )
}

function toTitle(page: RatingsPage | undefined, isFirstStart: boolean) {
  if (page) return formatCounted(page.page.total, 'rating')
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

/** All matching rows as a file; the browser follows the link itself. */
function ExportLink({ query, total }: Pick<RatingsHeadProps, 'query'> & { total: number | null }) {
  return (
    <ButtonLink
      variant="solid"
      className="relative max-sm:px-2.5"
      href={toExportHref(query, 'csv')}
      download
    >
      {total === null ? 'Export' : `Export ${formatCounted(total, 'row')}`}{' '}
      <span className="opacity-80 max-sm:sr-only">as CSV</span>
    </ButtonLink>
  )
}
