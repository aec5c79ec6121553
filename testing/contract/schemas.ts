import { mapView } from '#components/symbols/map/map-view.ts'
import { symbolPageQuery } from '#components/symbols/series-view.ts'
import { userPageQuery } from '#components/users/user-view.ts'
import {
  aggregateQuery,
  asofPageQuery,
  asofQuery,
  changesQuery,
  compareQuery,
  databaseQuery,
  embedQuery,
  healthQuery,
  movesQuery,
  noQuery,
  postsQuery,
  searchQuery,
  seriesQuery,
  spanQuery,
  symbolMapQuery,
  trackQuery,
} from '#lib/contract/api-queries.ts'
import { everyRowQuery, fileQuery } from '#lib/contract/export-choice.ts'
import { exportQuery, withCsv } from '#lib/contract/exports.ts'
import type { Issue } from '#lib/contract/faults.ts'
import { callsQuery } from '#lib/contract/lists/calls.ts'
import { lookupsQuery } from '#lib/contract/lists/lookups.ts'
import { nearSymbolsQuery, symbolsPageQuery, symbolsQuery } from '#lib/contract/lists/symbols.ts'
import { nearUsersQuery, rankedUsersQuery, usersQuery } from '#lib/contract/lists/users.ts'
import { alertWish, sqlQuery } from '#lib/contract/page-addresses.ts'
import type { Parameters, QuerySchema, ValuesOf } from '#lib/contract/query-schema.ts'
import { newestRatingsQuery, ratingsFeedQuery, ratingsQuery } from '#lib/contract/ratings-query.ts'
import { ratingsView } from '#lib/contract/ratings-view.ts'
import { watchedFiltersQuery, watchingQuery } from '#lib/contract/watching-query.ts'

export type AnySchema = Pick<QuerySchema<Parameters>, 'parameters' | 'order'> & {
  // Method syntax, for bivariant parameters.
  refuse(values: ValuesOf<Parameters>): readonly Issue[]
}

export const SCHEMAS: Readonly<Record<string, AnySchema>> = {
  aggregateQuery,
  alertWish,
  asofPageQuery,
  asofQuery,
  callsQuery,
  changesQuery,
  compareQuery,
  databaseQuery,
  embedQuery,
  everyRowQuery,
  exportQuery,
  fileQuery,
  healthQuery,
  lookupsQuery,
  movesQuery,
  nearSymbolsQuery,
  nearUsersQuery,
  newestRatingsQuery,
  mapView,
  noQuery,
  postsQuery,
  rankedUsersQuery,
  ratingsFeedQuery,
  ratingsQuery,
  ratingsView,
  searchQuery,
  seriesQuery,
  spanQuery,
  sqlQuery,
  symbolMapQuery,
  symbolPageQuery,
  symbolsPageQuery,
  symbolsQuery,
  trackQuery,
  userPageQuery,
  usersQuery,
  watchedFiltersQuery,
  watchingQuery,
}

export const CSV_SCHEMAS: Readonly<Record<string, AnySchema>> = Object.fromEntries(
  Object.entries({
    callsQuery,
    exportQuery,
    lookupsQuery,
    symbolsQuery,
    usersQuery,
  }).map(([name, query]) => [`${name} as CSV`, withCsv<Parameters>(query as AnySchema)]),
)
