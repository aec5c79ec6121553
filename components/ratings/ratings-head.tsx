'use client'

import dynamic from 'next/dynamic'
import {
  type ChangeQuery,
  type QueryProps,
  withoutFilters,
  withSort,
} from '#components/address/ratings-address.ts'
import { toRatingsLinks } from '#components/address/view-links.ts'
import type { Formats } from '#components/format/numbers.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { RatingGlyph } from '#components/marks/rating-marks.tsx'
import { TimeMachine } from '#components/time/time-machine.tsx'
import { Button, buttonClasses } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { Select } from '#components/ui/fields.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { Popover } from '#components/ui/overlays.tsx'
import { PageHeader } from '#components/ui/page-layout.tsx'
import { useInBrowser } from '#components/ui/use-browser.ts'
import type { RatingsPage } from '#lib/contract/answers/ratings.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { ratingsQuery } from '#lib/contract/ratings-query.ts'
import {
  type Filter,
  selectChips,
  toFilterPhrase,
  toQueryTitle,
  toShortList,
} from './filters/filter-summary.ts'
import { COLUMN_FACTS, COLUMN_IDS } from './table/columns.ts'
import type { TableModel } from './table/use-ratings-table.ts'
import { ViewsButton } from './views/views-button.tsx'

type RatingsHeadProps = QueryProps & {
  page: RatingsPage | undefined
  model: TableModel
  onFilters: () => void
  hasFailed: boolean
  isFirstStart: boolean
  isOld: boolean
}

export function RatingsHead({ query, change, page, model, ...rest }: RatingsHeadProps) {
  const formats = useFormats()
  return (
    <>
      <PageHeader
        isDimmed={rest.isOld}
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
            <SortSelect query={query} change={change} />
            <TimeMachine />
            <ViewsButton
              view={query}
              change={change}
              toSuggestion={() => toQueryTitle(query, formats).replace(/ · Ratings$/, '')}
            />
            <ColumnsMenu model={model} />
            {!rest.isFirstStart && (
              <ExportControl
                named={{ of: 'ratings', asked: query }}
                query={toParams(ratingsQuery, query)}
                counted={rest.hasFailed || !page ? null : toCounted(page)}
                shown={model.shown}
                links={toRatingsLinks(query, toFilterPhrase(query, formats))}
                isDimmed={rest.isOld}
              />
            )}
          </>
        }
      />
      <FilterLine query={query} change={change} isEmpty={!page} isOld={rest.isOld} />
    </>
  )
}

const toCounted = ({ page, meta }: RatingsPage) => ({
  rows: page.total,
  asOf: meta.as_of,
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

const FilterCount = ({ count }: { count: number }) => (
  <span className="min-w-[1ch] text-accent">{count > 0 && count}</span>
)

const ExportControl = dynamic(
  async () => (await import('#components/export/export-control.tsx')).ExportControl,
)

const SORTS = COLUMN_IDS.flatMap((column) =>
  (['desc', 'asc'] as const).map((direction) => ({
    value: `${column} ${direction}`,
    label: `${COLUMN_FACTS[column].label} ${direction === 'desc' ? '↓' : '↑'}`,
    sort: { column, direction },
  })),
)

function SortSelect({ query: { sort }, change }: QueryProps) {
  const isInBrowser = useInBrowser()
  const held = `${sort.column} ${sort.direction}`
  return (
    <Select
      className="sm:hidden [&_select]:w-27.5"
      label="Sort by"
      labelHidden
      onChange={({ target }) => {
        const chosen = SORTS.find(({ value }) => value === target.value)
        if (chosen) change((query) => withSort(query, chosen.sort))
      }}
      options={isInBrowser ? SORTS : SORTS.filter(({ value }) => value === held)}
      value={held}
    />
  )
}

type FilterLineProps = QueryProps & { isEmpty: boolean; isOld: boolean }

function FilterLine({ query, change, isEmpty, isOld }: FilterLineProps) {
  const filters = selectChips(query, useFormats())
  return (
    <div className={classNames('-mt-1 flex h-[27px] items-center gap-1.5', isOld && 'dimmed')}>
      {filters.length === 0 ? (
        <p className="truncate text-ink-3">{!isEmpty && 'No filter: every rating is shown.'}</p>
      ) : (
        <>
          <ul className="chips">
            {filters.map((filter) => (
              <li key={filter.key} className="shrink-0">
                <Chip
                  filter={filter}
                  codes={
                    filter.name === 'rating' ? query.rating[filter.isNot ? 'not' : 'only'] : []
                  }
                  change={change}
                />
              </li>
            ))}
          </ul>
          <Button
            variant="quiet"
            size="small"
            className="shrink-0"
            onClick={() => change(withoutFilters)}
          >
            Clear all<span className="sr-only"> filters</span>
          </Button>
        </>
      )}
    </div>
  )
}

type ChipProps = { filter: Filter; codes: readonly number[]; change: ChangeQuery }

function Chip({ filter: { name: list, isNot, values, drop }, codes, change }: ChipProps) {
  const text = values.join(', ')
  const name = isNot ? `not ${list}` : list
  const glyphs = [...codes].sort((a, b) => a - b)
  return (
    <span className="chip">
      <span className="shrink-0 text-ink-2">{name}</span>
      <span className="truncate font-semibold text-ink" title={text}>
        {glyphs.length === 0
          ? toShortList(values)
          : values.map((value, index) => (
              <span key={value}>
                {index > 0 && ', '}
                {glyphs[index] !== undefined && (
                  <RatingGlyph code={glyphs[index]} className="mr-1" />
                )}
                {value}
              </span>
            ))}
      </span>
      <button type="button" className="chip-away" onClick={() => change(drop)}>
        <span aria-hidden>×</span>
        <span className="sr-only">
          Remove filter: {name} {text}
        </span>
      </button>
    </span>
  )
}

const Panel = dynamic(async () => (await import('./table/columns-panel.tsx')).ColumnsPanel, {
  ssr: false,
})

const WIDTH_PX = 264

const ColumnsMenu = ({ model }: { model: TableModel }) => (
  <Popover
    aria-label="Columns"
    widthPx={WIDTH_PX}
    className="p-2 text-ink"
    button={{ className: buttonClasses({}, 'max-sm:px-2.5'), children: 'Columns' }}
  >
    {(isOpen) => isOpen && <Panel model={model} />}
  </Popover>
)
