import * as z from 'zod/mini'
import { alertsAnswer, triedAnswer } from '#lib/contract/answers/alerts.ts'
import { attentionOverviewAnswer } from '#lib/contract/answers/attention.ts'
import { changesAnswer } from '#lib/contract/answers/changes.ts'
import {
  differenceFacetsAnswer,
  differencesPage,
} from '#lib/contract/answers/edition-differences.ts'
import { envelope } from '#lib/contract/answers/envelope.ts'
import { attentionAnswer, lookupFacetsAnswer, lookupsPage } from '#lib/contract/answers/lookups.ts'
import { movesAnswer } from '#lib/contract/answers/moves.ts'
import { compareAnswer, opinionAnswer, seriesAnswer } from '#lib/contract/answers/opinion.ts'
import { followedAnswer, pricesAnswer } from '#lib/contract/answers/prices.ts'
import {
  facetsAnswer,
  ratingAnswer,
  ratingDetail,
  ratingsPage,
} from '#lib/contract/answers/ratings.ts'
import {
  backups,
  dumpsAnswer,
  editionsAnswer,
  healthAnswer,
  pricesReport,
  quarantinePage,
  status,
  statusAnswer,
} from '#lib/contract/answers/status.ts'
import { aggregateAnswer, overviewAnswer, symbolsPage } from '#lib/contract/answers/symbols.ts'
import { callsPage, communityRecordAnswer, trackAnswer } from '#lib/contract/answers/track.ts'
import {
  recordAnswer,
  userAnswer,
  userRatingsAnswer,
  usersPage,
} from '#lib/contract/answers/users.ts'
import { watchingAnswer } from '#lib/contract/answers/watching.ts'
import {
  aggregateQuery,
  asofQuery,
  callsQuery,
  changesQuery,
  compareQuery,
  healthQuery,
  movesQuery,
  nearSymbolsQuery,
  nearUsersQuery,
  noQuery,
  postsQuery,
  quarantineQuery,
  seriesQuery,
  symbolsQuery,
  trackQuery,
  usersQuery,
} from '#lib/contract/api-queries.ts'
import { differencesQuery } from '#lib/contract/edition-differences.ts'
import type { ExportSubject } from '#lib/contract/export-choice.ts'
import {
  callsCsvQuery,
  csvExportQuery,
  differencesCsvQuery,
  exportedCalls,
  exportedDifferences,
  exportedLookups,
  exportedSymbols,
  exportedUsers,
  exportManifest,
  exportQuery,
  lookupsCsvQuery,
  manifestAnswer,
  symbolsCsvQuery,
  usersCsvQuery,
} from '#lib/contract/exports.ts'
import { ratingsFeedQuery } from '#lib/contract/feed-query.ts'
import { lookupsQuery } from '#lib/contract/lookups-query.ts'
import { rating } from '#lib/contract/rating.ts'
import { ratingsQuery } from '#lib/contract/ratings-query.ts'
import { watchingQuery } from '#lib/contract/watching-query.ts'
import {
  type DescribedParameter,
  describeParameters,
  MEANING_OF_CALLS,
  MEANING_OF_CHANGES,
  MEANING_OF_COMPARE,
  MEANING_OF_DIFFERENCES,
  MEANING_OF_LOOKUPS,
  MEANING_OF_MOVES,
  MEANING_OF_SERIES,
  MEANING_OF_SYMBOLS,
  MEANING_OF_USERS,
  MEANING_OF_WATCHING,
} from './described-parameters.ts'

/** What a success holds. `file` has a name to be saved under; a `stream` does not end by itself. */
type Answer =
  | { how: 'json'; type: 'application/json'; schema: z.ZodMiniType }
  | { how: 'file' | 'text' | 'stream'; type: string; schema: z.ZodMiniType | null }

/** One address of the API and what may be asked of it. */
export type Operation = {
  /** Its `operationId`: a verb and what it gives. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  address: string
  tag: Tag
  summary: string
  parameters: readonly DescribedParameter[]
  status: 200 | 202
  answer: Answer
  /** Whether `If-None-Match` is answered with 304. */
  hasEtag: boolean
}

export const TAGS = {
  Ratings: 'Rows, single ratings, exports, and what is counted of them.',
  Symbols: 'What the community thinks of a symbol, now and over time.',
  Users: 'Who rates, what, and what can be judged of it.',
  Dumps: 'The weekly files of the service, as they came.',
  State: 'What the archive holds, and what keeps it current.',
  Service: 'The configured service itself.',
} as const
type Tag = keyof typeof TAGS

type Given = { tag: Tag; id: string; summary: string; meanings?: Meanings }
type Meanings = Parameters<typeof describeParameters>[2]
/** Only the names of its parameters are wanted here. */
type AnyQuery = { parameters: Parameters<typeof describeParameters>[1] }

const operation = (
  address: string,
  query: AnyQuery,
  { meanings, ...given }: Given & Pick<Operation, 'answer' | 'hasEtag'>,
): Operation => ({
  method: 'GET',
  address,
  status: 200,
  parameters: describeParameters(address, query.parameters, meanings),
  ...given,
})

const json = (schema: z.ZodMiniType): Answer => ({ how: 'json', type: 'application/json', schema })

/** Made from the archive, kept, and sent again only where it has changed. */
const kept = (address: string, query: AnyQuery, schema: z.ZodMiniType, given: Given) =>
  operation(address, query, { ...given, answer: json(schema), hasEtag: true })

/** True only now. */
const madeNow = (address: string, query: AnyQuery, schema: z.ZodMiniType, given: Given) =>
  operation(address, query, { ...given, answer: json(schema), hasEtag: false })

type Other = { how: 'file' | 'text' | 'stream'; type: string; schema?: z.ZodMiniType }

const other = (
  address: string,
  query: AnyQuery,
  answer: Other,
  given: Given & Partial<Operation>,
) =>
  operation(address, query, {
    hasEtag: false,
    ...given,
    answer: { ...answer, schema: answer.schema ?? null },
  })

const exported = z.partial(z.omit(ratingDetail, { effective_until: true, quality: true }))

/** `GET /api/ratings.json`: rows have the columns that were asked for. */
const exportedJson = envelope(z.array(exported), {
  meta: exportManifest,
  rows: z.int(),
})

/** `GET /api/v1/posts`: a page as the service gave it. */
const postsPage = envelope(z.array(z.looseObject(rating.shape)), {})

/** `POST /api/backups`. */
const backupsAnswer = envelope(backups, {})

/** `PUT` and `DELETE /api/prices/{file}`. */
const priceFilesAnswer = envelope(pricesReport, {})

/** `POST /api/sync`. */
const syncAnswer = envelope(
  z.extend(status.shape.sync, { run: z.object({ at: z.nullable(z.int()), cost: z.int() }) }),
  {},
)

/** Rows as a file in each of their formats, and the description of such a file. `every` says which rows. */
function exportedRows(
  name: Exclude<ExportSubject, 'ratings'>,
  { query, csvQuery, schema, every, hasParquet = false, ...given }: ExportedGiven,
): Operation[] {
  const shared = { tag: given.tag, meanings: given.meanings }
  const [last = name] = name.split('/').reverse()
  const title = last.charAt(0).toUpperCase() + last.slice(1)
  return [
    other(
      `/api/${name}.csv`,
      csvQuery,
      { how: 'file', type: 'text/csv' },
      { ...shared, id: `export${title}Csv`, summary: `${every} as CSV` },
    ),
    other(
      `/api/${name}.json`,
      query,
      { how: 'file', type: 'application/json', schema },
      { ...shared, id: `export${title}Json`, summary: `${every} as one JSON document` },
    ),
    other(
      `/api/${name}.ndjson`,
      query,
      { how: 'file', type: 'application/x-ndjson' },
      { ...shared, id: `export${title}Ndjson`, summary: `${every}, one object a line` },
    ),
    ...(hasParquet
      ? [
          other(
            `/api/${name}.parquet`,
            query,
            { how: 'file', type: 'application/vnd.apache.parquet' },
            { ...shared, id: `export${title}Parquet`, summary: `${every} as Parquet` },
          ),
        ]
      : []),
    describedFile(name, query, { ...shared, id: `describe${title}File` }),
  ]
}

type ExportedGiven = Pick<Given, 'tag' | 'meanings'> & {
  query: AnyQuery
  csvQuery: AnyQuery
  schema: z.ZodMiniType
  every: string
  hasParquet?: boolean
}

const describedFile = (name: string, query: AnyQuery, given: Omit<Given, 'summary'>) =>
  other(
    `/api/${name}.manifest`,
    query,
    { how: 'text', type: 'application/json', schema: z.extend(manifestAnswer, {}) },
    { ...given, summary: 'What a file of the same query says of itself' },
  )
const ATOM: Other = { how: 'text', type: 'application/atom+xml' }
const JSON_FEED: Other = { how: 'text', type: 'application/feed+json' }
/** 1200 × 630. */
const PICTURE: Other = { how: 'text', type: 'image/png' }

const RATINGS: readonly Operation[] = [
  kept('/api/ratings', ratingsQuery, ratingsPage, {
    tag: 'Ratings',
    id: 'listRatings',
    summary: 'One page of the ratings of a query',
  }),
  kept('/api/ratings/{id}', asofQuery, ratingAnswer, {
    tag: 'Ratings',
    id: 'getRating',
    summary: 'One rating, with what its user said of the symbol before and after',
  }),
  other(
    '/api/ratings.csv',
    csvExportQuery,
    { how: 'file', type: 'text/csv' },
    { tag: 'Ratings', id: 'exportCsv', summary: 'Every rating of a query as CSV' },
  ),
  other(
    '/api/ratings.json',
    exportQuery,
    { how: 'file', type: 'application/json', schema: exportedJson },
    { tag: 'Ratings', id: 'exportJson', summary: 'Every rating of a query as one JSON document' },
  ),
  other(
    '/api/ratings.ndjson',
    exportQuery,
    { how: 'file', type: 'application/x-ndjson' },
    { tag: 'Ratings', id: 'exportNdjson', summary: 'Every rating of a query, one object a line' },
  ),
  other(
    '/api/ratings.parquet',
    exportQuery,
    { how: 'file', type: 'application/vnd.apache.parquet' },
    { tag: 'Ratings', id: 'exportParquet', summary: 'Every rating of a query as Parquet' },
  ),
  describedFile('ratings', exportQuery, { tag: 'Ratings', id: 'describeRatingsFile' }),
  other('/api/ratings.atom', ratingsFeedQuery, ATOM, {
    ...{ tag: 'Ratings', id: 'followRatings', hasEtag: true },
    summary: 'The newest ratings of a query as Atom',
  }),
  other('/api/ratings.feed.json', ratingsFeedQuery, JSON_FEED, {
    ...{ tag: 'Ratings', id: 'followRatingsJson', hasEtag: true },
    summary: 'The newest ratings of a query as JSON Feed',
  }),
  kept('/api/changes', changesQuery, changesAnswer, {
    tag: 'Ratings',
    id: 'getChanges',
    summary: 'What changed in a period',
    meanings: MEANING_OF_CHANGES,
  }),
  other('/api/changes.atom', noQuery, ATOM, {
    ...{ tag: 'Ratings', id: 'followChanges', hasEtag: true },
    summary: 'What changed in each of the last weeks as Atom',
  }),
  other('/api/changes.feed.json', noQuery, JSON_FEED, {
    ...{ tag: 'Ratings', id: 'followChangesJson', hasEtag: true },
    summary: 'What changed in each of the last weeks as JSON Feed',
  }),
  kept('/api/watching', watchingQuery, watchingAnswer, {
    tag: 'Ratings',
    id: 'getWatching',
    summary: 'What many symbols, users and views hold, to tell what is new',
    meanings: MEANING_OF_WATCHING,
  }),
  kept('/api/facets', ratingsQuery, facetsAnswer, {
    tag: 'Ratings',
    id: 'countFacets',
    summary: 'How many ratings each value of a filter would leave',
  }),
]

const SYMBOLS: readonly Operation[] = [
  kept('/api/symbols', nearSymbolsQuery, symbolsPage, {
    tag: 'Symbols',
    id: 'listSymbols',
    summary: 'Every symbol, with its consensus',
    meanings: MEANING_OF_SYMBOLS,
  }),
  ...exportedRows('symbols', {
    every: 'Every symbol of a query',
    ...{ tag: 'Symbols', meanings: MEANING_OF_SYMBOLS, schema: exportedSymbols },
    ...{ query: symbolsQuery, csvQuery: symbolsCsvQuery },
  }),
  kept('/api/overview', asofQuery, overviewAnswer, {
    tag: 'Symbols',
    id: 'getOverview',
    summary: 'What happened among the symbols in seven days',
  }),
  kept('/api/attention', asofQuery, attentionOverviewAnswer, {
    tag: 'Symbols',
    id: 'getAttentionOverview',
    summary: 'Which symbols are looked up more than usual, and what look-ups say beside ratings',
  }),
  kept('/api/symbols/{symbol}', aggregateQuery, aggregateAnswer, {
    tag: 'Symbols',
    id: 'getSymbol',
    summary: 'The active ratings of a symbol on one day',
  }),
  other('/api/previews/symbols/{file}', noQuery, PICTURE, {
    tag: 'Symbols',
    id: 'getSymbolPreview',
    summary: 'The picture of a link to a symbol’s page',
    hasEtag: true,
  }),
  kept('/api/symbols/{symbol}/opinion', asofQuery, opinionAnswer, {
    tag: 'Symbols',
    id: 'getOpinion',
    summary: 'What the community thinks of a symbol',
  }),
  kept('/api/symbols/{symbol}/series', seriesQuery, seriesAnswer, {
    tag: 'Symbols',
    id: 'getSeries',
    summary: 'Rating and prediction of a symbol over time',
    meanings: MEANING_OF_SERIES,
  }),
  kept('/api/symbols/{symbol}/attention', seriesQuery, attentionAnswer, {
    tag: 'Symbols',
    id: 'getAttention',
    summary: 'How often a symbol was looked up over time',
    meanings: MEANING_OF_SERIES,
  }),
  kept('/api/symbols/{symbol}/prices', seriesQuery, pricesAnswer, {
    ...{ tag: 'Symbols', id: 'getSymbolPrices', meanings: MEANING_OF_SERIES },
    summary: 'A symbol’s closes, in the buckets of its series',
  }),
  kept('/api/symbols/{symbol}/followed', trackQuery, followedAnswer, {
    ...{ tag: 'Symbols', id: 'getSymbolFollowed', meanings: MEANING_OF_CALLS },
    summary: 'What the price did after each month’s consensus',
  }),
  kept('/api/symbols/{symbol}/moves', movesQuery, movesAnswer, {
    tag: 'Symbols',
    id: 'getMoves',
    summary: 'Why the consensus of a symbol moved',
    meanings: MEANING_OF_MOVES,
  }),
  other('/api/symbols/{symbol}/turns.atom', noQuery, ATOM, {
    ...{ tag: 'Symbols', id: 'followTurns', hasEtag: true },
    summary: 'When the consensus of a symbol turned, as Atom',
  }),
  other('/api/symbols/{symbol}/turns.feed.json', noQuery, JSON_FEED, {
    ...{ tag: 'Symbols', id: 'followTurnsJson', hasEtag: true },
    summary: 'When the consensus of a symbol turned, as JSON Feed',
  }),
  kept('/api/compare', compareQuery, compareAnswer, {
    tag: 'Symbols',
    id: 'compareSymbols',
    summary: 'The consensus of up to six symbols in the same buckets',
    meanings: MEANING_OF_COMPARE,
  }),
]

const USERS: readonly Operation[] = [
  other('/api/previews/users/{file}', noQuery, PICTURE, {
    tag: 'Users',
    id: 'getUserPreview',
    summary: 'The picture of a link to a user’s page',
    hasEtag: true,
  }),
  kept('/api/users', nearUsersQuery, usersPage, {
    tag: 'Users',
    id: 'listUsers',
    summary: 'Every user, with how many ratings',
    meanings: MEANING_OF_USERS,
  }),
  ...exportedRows('users', {
    every: 'Every user of a query',
    ...{ tag: 'Users', meanings: MEANING_OF_USERS, schema: exportedUsers },
    ...{ query: usersQuery, csvQuery: usersCsvQuery },
  }),
  kept('/api/users/{id}', asofQuery, userAnswer, {
    tag: 'Users',
    id: 'getUser',
    summary: 'One user',
  }),
  kept('/api/users/{id}/calls', asofQuery, userRatingsAnswer, {
    tag: 'Users',
    id: 'listUserRatings',
    summary: 'What a user said of each symbol, and for how long it held',
  }),
  kept('/api/users/{id}/record', asofQuery, recordAnswer, {
    tag: 'Users',
    id: 'getUserRecord',
    summary: 'What can be judged of a user without prices',
  }),
]

const RECORD = { meanings: MEANING_OF_CALLS } as const

const RECORDS: readonly Operation[] = [
  kept('/api/users/{id}/track', trackQuery, trackAnswer, {
    ...{ ...RECORD, tag: 'Users', id: 'getUserTrack' },
    summary: 'What became of a user’s ratings, by prices',
  }),
  kept('/api/record', trackQuery, communityRecordAnswer, {
    ...{ ...RECORD, tag: 'Users', id: 'getRecord' },
    summary: 'What became of everybody’s ratings, by prices',
  }),
  kept('/api/calls', callsQuery, callsPage, {
    ...{ ...RECORD, tag: 'Users', id: 'listCalls' },
    summary: 'Ratings held against prices, one page of them',
  }),
  ...exportedRows('calls', {
    ...{ ...RECORD, tag: 'Users', every: 'Every such rating', hasParquet: true },
    ...{ query: callsQuery, csvQuery: callsCsvQuery, schema: exportedCalls },
  }),
]

const ASKED_LOOKUPS = { tag: 'Symbols', meanings: MEANING_OF_LOOKUPS } as const

const LOOKUPS: readonly Operation[] = [
  kept('/api/lookups', lookupsQuery, lookupsPage, {
    ...{ ...ASKED_LOOKUPS, id: 'listLookups' },
    summary: 'Who looked up which symbol, one page of them',
  }),
  kept('/api/lookups/facets', lookupsQuery, lookupFacetsAnswer, {
    ...{ ...ASKED_LOOKUPS, id: 'countLookups' },
    summary: 'How many look-ups each value of a filter would leave',
  }),
  ...exportedRows('lookups', {
    ...{ ...ASKED_LOOKUPS, every: 'Every look-up of a query', hasParquet: true },
    ...{ query: lookupsQuery, csvQuery: lookupsCsvQuery, schema: exportedLookups },
  }),
]

const ASKED_DIFFERENCES = { tag: 'Dumps', meanings: MEANING_OF_DIFFERENCES } as const

const DIFFERENCES: readonly Operation[] = [
  kept('/api/editions/differences', differencesQuery, differencesPage, {
    ...{ ...ASKED_DIFFERENCES, id: 'listDifferences' },
    summary: 'What differs between two editions of the posts, one page of it',
  }),
  kept('/api/editions/differences/facets', differencesQuery, differenceFacetsAnswer, {
    ...{ ...ASKED_DIFFERENCES, id: 'countDifferences' },
    summary: 'How many such ratings each value of a filter would leave',
  }),
  ...exportedRows('editions/differences', {
    ...{ ...ASKED_DIFFERENCES, every: 'Every change between two editions', hasParquet: true },
    ...{ query: differencesQuery, csvQuery: differencesCsvQuery, schema: exportedDifferences },
  }),
]

const CSV_FILE = { how: 'file', type: 'text/csv' } as const

const DUMPS: readonly Operation[] = [
  other('/api/v1/posts/dumps', noQuery, CSV_FILE, {
    tag: 'Dumps',
    id: 'getPostsDump',
    summary: 'The current edition of the posts dump',
    hasEtag: true,
  }),
  other('/api/v1/lookups/dumps', noQuery, CSV_FILE, {
    tag: 'Dumps',
    id: 'getLookupsDump',
    summary: 'The current edition of the lookups dump',
    hasEtag: true,
  }),
  madeNow('/api/dumps', noQuery, dumpsAnswer, {
    tag: 'Dumps',
    id: 'listDumps',
    summary: 'What is kept of both dumps',
  }),
  madeNow('/api/editions', noQuery, editionsAnswer, {
    tag: 'Dumps',
    id: 'listEditions',
    summary: 'Every edition on disk',
  }),
  other('/api/editions/{file}', noQuery, CSV_FILE, {
    tag: 'Dumps',
    id: 'getEdition',
    summary: 'One edition as it came',
    hasEtag: true,
  }),
]

const alertsJson = { how: 'text', type: 'application/json', schema: alertsAnswer } as const

const ALERTS: readonly Operation[] = [
  madeNow('/api/alerts', noQuery, alertsAnswer, {
    tag: 'State',
    id: 'getAlerts',
    summary: 'The rules of alerts, what is to be sent and what was given up; no secret',
  }),
  other('/api/alerts/rules', noQuery, alertsJson, {
    tag: 'State',
    id: 'addAlertRule',
    method: 'POST',
    summary: 'Adds a rule; only a page of this dashboard may',
  }),
  other('/api/alerts/rules/{name}', noQuery, alertsJson, {
    tag: 'State',
    id: 'removeAlertRule',
    method: 'DELETE',
    summary: 'Takes a rule away that was added so',
  }),
  other(
    '/api/alerts/try',
    noQuery,
    { how: 'text', type: 'application/json', schema: triedAnswer },
    {
      tag: 'State',
      id: 'tryWebhook',
      method: 'POST',
      summary: 'Sends one message that says that nothing has happened',
    },
  ),
  other('/api/alerts/given-up', noQuery, alertsJson, {
    tag: 'State',
    id: 'sendAlertsAgain',
    method: 'POST',
    summary: 'Puts messages that were given up into the outbox again',
  }),
  other(
    '/api/alerts/schema.json',
    noQuery,
    { how: 'text', type: 'application/json', schema: z.looseObject({ title: z.string() }) },
    {
      tag: 'State',
      id: 'getAlertsSchema',
      summary: 'What ALERTS_FILE may hold, as a JSON Schema',
      hasEtag: true,
    },
  ),
]

const STATE: readonly Operation[] = [
  madeNow('/api/status', noQuery, statusAnswer, {
    tag: 'State',
    id: 'getStatus',
    summary: 'What the archive holds and what keeps it current',
  }),
  other(
    '/api/events',
    noQuery,
    { how: 'stream', type: 'text/event-stream' },
    { tag: 'State', id: 'listen', summary: 'The same as it happens, as server-sent events' },
  ),
  madeNow('/api/quarantine', quarantineQuery, quarantinePage, {
    tag: 'State',
    id: 'listQuarantine',
    summary: 'Rows that came and are no ratings',
  }),
  other(
    '/api/quarantine.ndjson',
    noQuery,
    { how: 'file', type: 'application/x-ndjson' },
    { tag: 'State', id: 'exportQuarantine', summary: 'All of those rows as a file' },
  ),
  other(
    '/api/rejects.ndjson',
    noQuery,
    { how: 'file', type: 'application/x-ndjson' },
    {
      tag: 'State',
      id: 'exportRejects',
      summary: 'Lines of the operator’s files that were left out',
    },
  ),
  other(
    '/api/sync',
    noQuery,
    { how: 'text', type: 'application/json', schema: syncAnswer },
    {
      tag: 'State',
      id: 'requestSync',
      method: 'POST',
      status: 202,
      summary: 'Asks for a sync; only a page of this dashboard may',
    },
  ),
  other(
    '/api/prices/{file}',
    noQuery,
    { how: 'text', type: 'application/json', schema: priceFilesAnswer },
    {
      tag: 'State',
      id: 'putPriceFile',
      method: 'PUT',
      summary: 'Puts a price file here, its body; only a page of this dashboard may, or a token',
    },
  ),
  other(
    '/api/prices/{file}',
    noQuery,
    { how: 'text', type: 'application/json', schema: priceFilesAnswer },
    {
      tag: 'State',
      id: 'removePriceFile',
      method: 'DELETE',
      summary: 'Takes a price file away that was put here',
    },
  ),
  other(
    '/api/backups',
    noQuery,
    { how: 'text', type: 'application/json', schema: backupsAnswer },
    {
      tag: 'State',
      id: 'requestBackup',
      method: 'POST',
      status: 202,
      summary: 'Asks for a backup of the data folder; only a page of this dashboard may',
    },
  ),
  ...ALERTS,
  madeNow('/api/health', healthQuery, healthAnswer, {
    tag: 'State',
    id: 'getHealth',
    summary: 'Whether the process can serve',
  }),
  other(
    '/api/metrics',
    noQuery,
    { how: 'text', type: 'text/plain' },
    { tag: 'State', id: 'getMetrics', summary: 'What the process counts, for Prometheus' },
  ),
  other(
    '/api/openapi.json',
    noQuery,
    { how: 'text', type: 'application/json', schema: z.looseObject({ openapi: z.string() }) },
    { tag: 'State', id: 'getOpenApi', summary: 'This description of the API', hasEtag: true },
  ),
]

const SERVICE: readonly Operation[] = [
  kept('/api/v1/posts', postsQuery, postsPage, {
    tag: 'Service',
    id: 'getPostsPage',
    summary: 'One page of the configured service, as it gave it',
  }),
]

/** Every address of the API, by subject. */
export const OPERATIONS: readonly Operation[] = [
  ...RATINGS,
  ...SYMBOLS,
  ...USERS,
  ...RECORDS,
  ...LOOKUPS,
  ...DIFFERENCES,
  ...DUMPS,
  ...STATE,
  ...SERVICE,
]
