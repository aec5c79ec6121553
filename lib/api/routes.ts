import type { Route } from './route.ts'
import { dumpsRoute } from './routes/dumps.ts'
import { editionsRoute } from './routes/editions.ts'
import { eventsRoute } from './routes/events.ts'
import { createExportRoutes } from './routes/exports.ts'
import { facetsRoute } from './routes/facets.ts'
import { healthRoute } from './routes/health.ts'
import { metricsRoute } from './routes/metrics.ts'
import { createPostsRoute } from './routes/posts.ts'
import { createQuarantineRoutes } from './routes/quarantine.ts'
import { ratingRoute } from './routes/rating.ts'
import { ratingsRoute } from './routes/ratings.ts'
import { statusRoute } from './routes/status.ts'
import {
  compareRoute,
  overviewRoute,
  symbolOpinionRoute,
  symbolRoute,
  symbolSeriesRoute,
  symbolsRoute,
} from './routes/symbols.ts'
import { syncRoute } from './routes/sync.ts'
import { userCallsRoute, userRecordRoute, userRoute, usersRoute } from './routes/users.ts'

/** Every route of the API, in the order of the documentation. */
export const createRoutes = (): readonly Route[] => [
  createPostsRoute(),
  ratingsRoute,
  ratingRoute,
  ...createExportRoutes(),
  facetsRoute,
  symbolsRoute,
  symbolRoute,
  symbolOpinionRoute,
  symbolSeriesRoute,
  compareRoute,
  overviewRoute,
  usersRoute,
  userRoute,
  userCallsRoute,
  userRecordRoute,
  dumpsRoute,
  editionsRoute,
  ...createQuarantineRoutes(),
  statusRoute,
  eventsRoute,
  syncRoute,
  healthRoute,
  metricsRoute,
]

/** The downloads, which the Pages API serves because they need Content-Length. */
export const DOWNLOAD_ROUTES = [
  '/api/v1/posts/dumps',
  '/api/v1/lookups/dumps',
  '/api/editions/{file}',
] as const

/** Every address of the API, for the test that holds the documentation against it. */
export const ROUTES: readonly string[] = [
  ...createRoutes().map((route) => route.pattern),
  ...DOWNLOAD_ROUTES,
]
