import { formatCount } from '#components/format/count.ts'
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
}

/** How many ratings the filters leave, the filters themselves, and what can be done with the rows. */
export function RatingsHead({ query, change, page, columns, ...rest }: RatingsHeadProps) {
  return (
    <PageHeader
      title={page ? <Headline total={page.page.total} /> : <HeadlineOutline />}
      detail={
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5">
          {page && <span>of {formatCount(page.meta.all)}</span>}
          <FilterChips query={query} change={change} />
        </div>
      }
      actions={
        <>
          <Button className="lg:hidden" aria-haspopup="dialog" onClick={rest.onFilters}>
            Filters <FilterCount count={selectFilters(query).length} />
          </Button>
          <ColumnsMenu {...columns} />
          <ExportLink query={query} total={rest.hasFailed ? null : (page?.page.total ?? null)} />
        </>
      }
    />
  )
}

const Headline = ({ total }: { total: number }) => (
  <>
    {formatCount(total)} {total === 1 ? 'rating' : 'ratings'}
  </>
)

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
    <ButtonLink variant="solid" href={toExportHref(query, 'csv')} download>
      {total === null ? 'Export' : `Export ${formatCount(total)} ${total === 1 ? 'row' : 'rows'}`}{' '}
      <span className="opacity-80">as CSV</span>
    </ButtonLink>
  )
}
