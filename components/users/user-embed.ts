import { toUserEmbedHref } from '#components/address/page-address.ts'
import { type UserView, userPageQuery } from '#components/address/user-address.ts'
import type { ChartEmbed } from '#components/charts/save/chart-facts.ts'
import type { Issue } from '#lib/contract/faults.ts'
import { parameter } from '#lib/contract/query-parameters.ts'
import { querySchema, readLeniently, toParams } from '#lib/contract/query-schema.ts'
import { AXIS_PX, ROW_PX } from './ratings.ts'

/** The address of a user's embed. */
export const userEmbedQuery = querySchema({
  chart: parameter.choice(['activity'], null, 'The chart; ratings where it is not given.'),
  ...userPageQuery.parameters,
})

/** Which chart a frame shows, and how; what had to be ignored in its address. */
export function readUserEmbed(params: URLSearchParams): {
  chart: 'ratings' | 'activity'
  view: UserView
  ignored: Issue[]
} {
  const { query, ignored } = readLeniently(userEmbedQuery, params)
  const { chart, ...view } = query
  return { chart: chart ?? 'ratings', view, ignored }
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
  params: toParams(userPageQuery, { ...view, activity: null, symbols: null }),
  height: AROUND_RATINGS_PX + (view.view === 'table' ? TABLE_PX : AXIS_PX + rows * ROW_PX),
})

/** The same of the map of activity, which no range changes. */
export function toActivityEmbed(userId: number, view: UserView): ChartEmbed {
  const { activity, asof } = view
  const isTable = activity === 'table'
  return {
    path: toUserEmbedHref(userId),
    params: toParams(userEmbedQuery, { chart: 'activity', activity, asof }),
    height: isTable ? ACTIVITY_PX + 110 : ACTIVITY_PX,
  }
}
