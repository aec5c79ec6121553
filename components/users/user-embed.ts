import { toUserEmbedHref } from '#components/address/page-address.ts'
import { type UserView, userPageQuery } from '#components/address/user-address.ts'
import type { ChartEmbed } from '#components/charts/save/chart-facts.ts'
import type { Issue } from '#lib/contract/faults.ts'
import { parameter } from '#lib/contract/query-parameters.ts'
import { querySchema, readLeniently, toParams } from '#lib/contract/query-schema.ts'
import { AXIS_PX, ROW_PX } from './ratings.ts'

export const userEmbedQuery = querySchema({
  chart: parameter.choice(['activity'], null, 'The chart; ratings where it is not given.'),
  ...userPageQuery.parameters,
})

export function readUserEmbed(params: URLSearchParams): {
  chart: 'ratings' | 'activity'
  view: UserView
  ignored: Issue[]
} {
  const { query, ignored } = readLeniently(userEmbedQuery, params)
  const { chart, ...view } = query
  return { chart: chart ?? 'ratings', view, ignored }
}

/** Pixels around the rows in a narrow frame. */
const AROUND_RATINGS_PX = 300
const TABLE_PX = 512
const ACTIVITY_PX = 272

type RatingsEmbed = {
  userId: number
  view: UserView
  rows: number
}

export const toRatingsEmbed = ({ userId, view, rows }: RatingsEmbed): ChartEmbed => ({
  path: toUserEmbedHref(userId),
  params: toParams(userPageQuery, { ...view, activity: null, symbols: null }),
  height: AROUND_RATINGS_PX + (view.view === 'table' ? TABLE_PX : AXIS_PX + rows * ROW_PX),
})

export function toActivityEmbed(userId: number, view: UserView): ChartEmbed {
  const { activity, asof } = view
  const isTable = activity === 'table'
  return {
    path: toUserEmbedHref(userId),
    params: toParams(userEmbedQuery, { chart: 'activity', activity, asof }),
    height: isTable ? ACTIVITY_PX + 110 : ACTIVITY_PX,
  }
}
