'use client'

import { ExportControl } from '#components/export/export-control.tsx'
import { toFilterPhrase, withoutFilters } from '#components/format/filter-words.ts'
import { formatCount, formatCounted } from '#components/format/numbers.ts'
import { ColumnsMenu } from '#components/list/columns/columns-menu.tsx'
import { FilterLine } from '#components/list/filter-line.tsx'
import { RatingGlyph } from '#components/marks/rating-marks.tsx'
import { TimeMachine } from '#components/time/time-machine.tsx'
import { Button } from '#components/ui/button.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { PageHeader } from '#components/ui/page-layout.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import type { RatingsPage } from '#lib/contract/answers/ratings.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { ratingsQuery } from '#lib/contract/ratings-query.ts'
import { type QueryProps, RATINGS_PAGE } from '#lib/contract/ratings-view.ts'
import { selectRatingChips, selectRatingFilters } from './filters/filter-summary.ts'
import { RatingViews } from './rating-views.tsx'
import type { TableModel } from './table/use-ratings-table.ts'

type RatingsHeadProps = QueryProps & {
  page: RatingsPage | undefined
  model: TableModel
  onFilters: () => void
  hasFailed: boolean
  isFirstStart: boolean
  isOld: boolean
}

export function RatingsHead({ query, change, page, model, ...rest }: RatingsHeadProps) {
  const { columns } = model
  const phrase = toFilterPhrase(selectRatingFilters(query, useZone()))
  return (
    <>
      <PageHeader
        isDimmed={rest.isOld}
        title={toTitle(page, rest.isFirstStart)}
        detail={
          page && page.page.total !== page.meta.all ? (
            // Would be a second line there, and move the table.
            <span className="md:max-lg:sr-only">{`of ${formatCount(page.meta.all)}`}</span>
          ) : undefined
        }
        actions={
          <>
            <Button
              className="max-sm:px-2.5 lg:hidden"
              aria-haspopup="dialog"
              onClick={rest.onFilters}
            >
              Filters <FilterCount count={selectRatingChips(query).length} />
            </Button>
            <TimeMachine />
            <RatingViews query={query} change={change} suggestion={phrase || RATINGS_PAGE.title} />
            <ColumnsMenu
              columns={columns}
              leavesUntil={columns.isUsual ? 'changed' : undefined}
              table={model.table}
            />
            {!rest.isFirstStart && (
              <ExportControl
                named={{ of: 'ratings', asked: query }}
                query={toParams(ratingsQuery, query)}
                counted={rest.hasFailed || !page ? null : toCounted(page)}
                shown={model.shown}
                isDimmed={rest.isOld}
              />
            )}
          </>
        }
      />
      <RatingChips query={query} change={change} isOld={rest.isOld} />
    </>
  )
}

const toCounted = ({ page, meta }: RatingsPage) => ({
  rows: page.total,
  asOf: meta.as_of,
})

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

const FilterCount = ({ count }: { count: number }) => (
  <span className="min-w-[1ch] text-accent">{count > 0 && count}</span>
)

type RatingChipsProps = QueryProps & { isOld: boolean }

const RatingChips = ({ query, change, isOld }: RatingChipsProps) => (
  <FilterLine
    chips={selectRatingChips(query, useZone())}
    isDimmed={isOld}
    onClear={() => change((view) => withoutFilters(RATINGS_PAGE, view))}
    onDrop={({ drop }) => change(drop)}
    toMark={({ name }, value) =>
      name === 'rating' && <RatingGlyph code={Number(value)} className="mr-1" />
    }
  />
)
