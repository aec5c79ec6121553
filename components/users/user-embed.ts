import { toUserEmbedHref } from '#components/address/page-address.ts'
import { readUserView, toUserParams, type UserView } from '#components/address/user-address.ts'
import type { ChartEmbed } from '#components/charts/save/chart-facts.ts'
import type { Issue } from '#lib/contract/faults.ts'
import { parameter, querySchema, readLeniently } from '#lib/contract/query-schema.ts'
import { AXIS_PX, ROW_PX } from './ratings.ts'

const CHART = 'chart'
const chartQuery = querySchema({ [CHART]: parameter.choice(['activity'], null) })

/** Which chart a frame shows, and how; what had to be ignored in its address. */
export function readUserEmbed(params: URLSearchParams): {
  chart: 'ratings' | 'activity'
  view: UserView
  ignored: Issue[]
} {
  const named = new URLSearchParams(params.getAll(CHART).map((value) => [CHART, value]))
  const { query, ignored: badChart } = readLeniently(chartQuery, named)
  const rest = new URLSearchParams(params)
  rest.delete(CHART)
  const { view, ignored } = readUserView(rest)
  return { chart: query.chart ?? 'ratings', view, ignored: [...badChart, ...ignored] }
}

/**
 * What stands around the rows where the frame is narrow, in pixels: caption and reading in two lines, the legend in four,
 * foot, the rule's line, margins. A wide one has some room to spare.
 */
const AROUND_RATINGS_PX = 300
/** A table scrolls within so much. */
const TABLE_PX = 512
const ACTIVITY_PX = 272

type RatingsEmbed = {
  userId: number
  view: UserView
  /** How many are displayed. */
  rows: number
}

/** The ratings as a page displays them, and how high a frame has to be so that nothing scrolls. */
export const toRatingsEmbed = ({ userId, view, rows }: RatingsEmbed): ChartEmbed => ({
  path: toUserEmbedHref(userId),
  params: toUserParams({ ...view, activity: null, symbols: null }),
  height: AROUND_RATINGS_PX + (view.view === 'table' ? TABLE_PX : AXIS_PX + rows * ROW_PX),
})

/** The same of the map of activity, which no range changes. */
export function toActivityEmbed(userId: number, view: UserView): ChartEmbed {
  const { view: plain } = readUserView(new URLSearchParams())
  const params = toUserParams({ ...plain, activity: view.activity, asof: view.asof })
  const isTable = view.activity === 'table'
  return {
    path: toUserEmbedHref(userId),
    params: new URLSearchParams([[CHART, 'activity'], ...params]),
    height: isTable ? ACTIVITY_PX + 110 : ACTIVITY_PX,
  }
}
