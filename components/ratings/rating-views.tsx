import { useRouter } from 'next/navigation'
import { type TableSettings, toDefaults } from '#components/list/columns/column-settings.ts'
import { useTableSettings } from '#components/list/columns/table-settings.tsx'
import { ViewsMenu } from '#components/saved/views-menu.tsx'
import {
  type QueryProps,
  RATINGS_PAGE,
  type RatingsView,
  readRatingsView,
} from '#lib/contract/ratings-view.ts'
import { type ColumnId, RATINGS_TABLE, shownColumns } from './table/columns.ts'

export function RatingViews({ query, change, suggestion }: QueryProps & { suggestion: string }) {
  const router = useRouter()
  const { settings } = useTableSettings(RATINGS_TABLE)
  // Keeps unreadable parameters, so that the page reports them.
  const open = (href: string) => {
    const view = readRatingsView(new URLSearchParams(href.split('?')[1]))
    if (view.ignored.length === 0) change(() => view.query)
    else router.push(href)
  }
  return (
    <ViewsMenu
      shown={{ path: RATINGS_PAGE.path, query, saved: withOwnColumns(query, settings) }}
      open={open}
      suggestion={suggestion}
    />
  )
}

/** Unless the query names columns, or they are the default. */
export function withOwnColumns(query: RatingsView, settings: TableSettings<ColumnId>): RatingsView {
  const shown = shownColumns(settings)
  const isUsual = shown.join() === shownColumns(toDefaults(RATINGS_TABLE)).join()
  return query.columns.length > 0 || isUsual ? query : { ...query, columns: shown }
}
