import { LRUCache } from 'lru-cache'
import { selectRatings } from '#lib/archive/ratings/ratings.ts'
import { selectSeries } from '#lib/archive/symbols/symbol.ts'
import { CONSENSUS_MIN } from '#lib/contract/answers/limits.ts'
import type { Series } from '#lib/contract/answers/opinion.ts'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { asofQuery, noQuery } from '#lib/contract/api-queries.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { AppError } from '#lib/contract/faults.ts'
import {
  FEED_ENDINGS,
  type FeedFormat,
  newestRatingsQuery,
  ratingsFeedQuery,
} from '#lib/contract/feed-query.ts'
import { symbolPart } from '#lib/contract/operations/parts.ts'
import { toPathPart } from '#lib/contract/path-part.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { predictionText, ratingLabel, toSymbolKey } from '#lib/contract/rating-fields.ts'
import { EVERY_RATING, type RatingsQuery, toQueryText } from '#lib/contract/ratings-query.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { toTwoPlaces } from '#lib/statistics/exact.ts'
import type { ApiDeps, Respond, Sender, SharedDeps } from './endpoint.ts'
import { LINK_PARAMETER } from './feed-address.ts'
import {
  FEED_TYPES,
  type Feed,
  type FeedEntry,
  selectNewest,
  toFeedDocument,
  toFeedId,
} from './feed-documents.ts'
import { matchesEtag, readParameters, readPartValues, toContentHash } from './respond.ts'

const DAY_SECONDS = 86_400
const NO_ORIGIN = new URL('http://localhost')
const MINUTE_SECONDS = 60

export const respondRatingsFeed =
  (format: FeedFormat): Respond =>
  async (deps, { request, sender, params }) => {
    const query = readParameters(ratingsFeedQuery, params)
    const minute = query.state === null ? 0 : Math.floor(deps.now() / MINUTE_SECONDS)
    return await sendFeed(
      deps,
      { request, sender },
      {
        format,
        own: `/api/ratings${FEED_ENDINGS[format]}`,
        mark: `${minute}`,
        load: async (place) => await loadRatings(deps, { ...EVERY_RATING, ...query }, place),
      },
    )
  }

export const respondTurnsFeed =
  (format: FeedFormat): Respond =>
  async (deps, { request, sender, params, parts }) => {
    readParameters(noQuery, params)
    const { symbol } = readPartValues({ symbol: symbolPart }, parts)
    // Past days no longer change.
    const today = Math.floor(deps.now() / DAY_SECONDS) * DAY_SECONDS
    return await sendFeed(
      deps,
      { request, sender },
      {
        format,
        own: `/api/symbols/${toPathPart(symbol)}/turns${FEED_ENDINGS[format]}`,
        mark: `${today}`,
        load: async (place) => await loadTurns(deps, { symbol, today }, place),
      },
    )
  }

export type FeedContext = {
  toAddress: (address: string) => string
  toFeedAddress: (params: URLSearchParams) => string
  signal: AbortSignal
}

type FeedRequest = {
  format: FeedFormat
  own: string
  mark: string
  load: (context: FeedContext) => Promise<Feed>
}

export async function sendFeed(
  deps: ApiDeps & SharedDeps,
  { request, sender }: { request: Request; sender: Sender },
  { format, own, mark, load }: FeedRequest,
): Promise<Response> {
  const { generation, ratings, completeTo } = deps.archive.state()
  if (ratings === 0 && completeTo === null) {
    throw new AppError('not_ready', 'The archive is being filled for the first time.', {
      retryAfterSeconds: 30,
    })
  }
  const { search } = new URL(request.url)
  const { origin = NO_ORIGIN } = sender
  const link = sender.link ?? null
  const state = JSON.stringify([generation, ratings, mark, origin.href, own, search, link])
  const toAddress = (address: string) => new URL(withBase(address), origin).href
  const toFeedAddress = (params: URLSearchParams) => {
    const all = new URLSearchParams(params)
    if (link !== null) all.set(LINK_PARAMETER, link)
    return toAddress(own + toQueryText(all))
  }
  const place = { toAddress, toFeedAddress, signal: request.signal }
  const documents = selectDocuments(deps)
  const make = async () => {
    const { client } = sender
    const endTurn = await deps.takeTurn({ client, isExpensive: true }, request.signal)
    try {
      const document = documents.get(state) ?? toSentDocument(await load(place), format)
      documents.set(state, document)
      return document
    } finally {
      endTurn()
    }
  }
  const { body, etag, lastModified } = documents.get(state) ?? (await make())
  const headers = {
    etag,
    // Not a condition: adding or removing an entry below the newest leaves it unchanged.
    ...(lastModified === null ? {} : { 'last-modified': lastModified }),
    'cache-control': 'private, no-cache',
    vary: 'host',
  }
  if (matchesEtag(request.headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers })
  }
  return new Response(body, { headers: { ...headers, 'content-type': FEED_TYPES[format] } })
}

type SentDocument = { body: string; etag: string; lastModified: string | null }

function toSentDocument(feed: Feed, format: FeedFormat): SentDocument {
  const body = toFeedDocument(feed, format)
  const newest = selectNewest(feed)
  return {
    body,
    etag: `"${toContentHash(Buffer.from(body))}"`,
    lastModified: newest === null ? null : new Date(newest * 1000).toUTCString(),
  }
}

/** Cached by what they are made of: most polls come between two commits. */
const cached = new WeakMap<ApiDeps['archive'], LRUCache<string, SentDocument>>()

function selectDocuments({ archive }: Pick<ApiDeps, 'archive'>): LRUCache<string, SentDocument> {
  const existing = cached.get(archive)
  if (existing) return existing
  const documents = new LRUCache<string, SentDocument>({
    maxSize: CACHED_CHARACTERS,
    sizeCalculation: ({ body }) => body.length,
  })
  cached.set(archive, documents)
  return documents
}

const CACHED_CHARACTERS = 4_000_000

async function loadRatings(
  deps: ApiDeps,
  query: RatingsQuery,
  context: FeedContext,
): Promise<Feed> {
  const { signal, toAddress } = context
  const { rows, total } = await selectRatings(deps.archive.reader, query, {
    at: deps.now(),
    signal,
  })
  const pageOf = (page: number) =>
    context.toFeedAddress(toParams(ratingsFeedQuery, { ...query, page }))
  const { address: service, invented } = deps.upstream.service
  const plain = toParams(newestRatingsQuery, query)
  const what = toFilterText(plain)
  return {
    id: toFeedId(service, 'ratings', plain.toString()),
    title: `Ratings${what === '' ? '' : `: ${what}`}`,
    subtitle: `The newest ratings${what === '' ? '' : ` of ${what}`}.${invented ? INVENTED : ''}`,
    self: pageOf(query.page),
    page: toAddress(`/${toQueryText(plain)}`),
    first: pageOf(1),
    next: query.page * query.per_page < total ? pageOf(query.page + 1) : null,
    previous: query.page > 1 ? pageOf(query.page - 1) : null,
    entries: rows.map((row) => toRatingEntry(row, { service, toAddress })),
  }
}

export const INVENTED = ' Demo data, invented.'

const toFilterText = (params: URLSearchParams): string =>
  [...params].map(([name, value]) => `${name} ${toVisibleText(value)}`).join(', ')

type FeedNaming = Pick<FeedContext, 'toAddress'> & { service: string }

function toRatingEntry(row: RatingRow, { service, toAddress }: FeedNaming): FeedEntry {
  const symbol = toVisibleText(row.symbol)
  const label = toVisibleText(row.rating_label)
  const before =
    row.previous_rating === null || row.previous_rating === row.rating
      ? ''
      : `${ratingLabel(row.previous_rating)} → `
  const action = toVisibleText(row.action_label)
  return {
    id: toFeedId(service, 'rating', row.id),
    title: `${symbol}: ${before}${label} by user ${row.user_id}`,
    text: `${action}: ${before}${label} on ${symbol}, prediction ${predictionText(row.prediction)}.`,
    address: toAddress(`/ratings/${row.id}`),
    at: row.created_at,
    author: { name: `User ${row.user_id}`, address: toAddress(`/users/${row.user_id}`) },
    tags: [symbol, label],
  }
}

const TURNS_DAYS = 365
/** `MUCH` in ten-thousandths of a step. */
const MUCH = 1500
const MANY = 10

type Turned = { symbol: string; today: number }

async function loadTurns(
  deps: ApiDeps,
  { symbol, today }: Turned,
  context: FeedContext,
): Promise<Feed> {
  const { signal, toAddress } = context
  const span = { bucket: 'day', from: today - TURNS_DAYS * DAY_SECONDS, to: today } as const
  const series = await selectSeries(
    deps.archive.reader,
    { symbol, query: { ...span, asof: null } },
    { at: deps.now(), signal },
  )
  if (!series) throw new AppError('not_found', 'This symbol has no ratings.')
  const { address: service, invented } = deps.upstream.service
  const shown = toVisibleText(series.symbol)
  const self = context.toFeedAddress(new URLSearchParams())
  return {
    id: toFeedId(service, 'turns', toSymbolKey(series.symbol)),
    title: `${shown}: turns of the consensus`,
    subtitle: `When the label of ${shown} changed, or its consensus moved by 0.15 or more within a day.${invented ? INVENTED : ''}`,
    self,
    first: self,
    next: null,
    previous: null,
    page: toAddress(`/symbols/${toPathPart(series.symbol)}`),
    entries: selectTurns(series).map((turn) => toTurnEntry(turn, { service, toAddress })),
  }
}

type Point = { t: number; active: number; consensus: string }
type Turn = { symbol: string; before: Point; after: Point; isLabel: boolean }

export function selectTurns({ symbol, points }: Pick<Series, 'symbol' | 'points'>): Turn[] {
  const turns: Turn[] = []
  let before: Point | null = null
  for (const { t, active, consensus } of points) {
    const after: Point | null =
      consensus === null || active < CONSENSUS_MIN ? null : { t, active, consensus }
    if (before && after) {
      const isLabel = toLabel(before) !== toLabel(after)
      if (isLabel || isFar(before, after)) turns.push({ symbol, before, after, isLabel })
    }
    before = after
  }
  return turns.toReversed()
}

const toTenThousandths = ({ consensus }: Point) => Math.round(Number(consensus) * 10_000)

const isFar = (before: Point, after: Point): boolean =>
  Math.min(before.active, after.active) >= MANY &&
  Math.abs(toTenThousandths(after) - toTenThousandths(before)) >= MUCH

/** Half a step rounds up. */
const toLabel = ({ consensus }: Point): string => ratingLabel(Math.floor(Number(consensus) + 0.5))

function toTurnEntry({ symbol, before, after, isLabel }: Turn, { service, toAddress }: FeedNaming) {
  const shown = toVisibleText(symbol)
  const day = new Date(after.t * 1000).toISOString().slice(0, 10)
  const at = after.t + DAY_SECONDS - 1
  const then = toQueryText(toParams(asofQuery, { asof: at }))
  const [from, to] = [toShort(before), toShort(after)]
  const labels = isLabel ? `${toLabel(before)} → ${toLabel(after)}` : `${from} → ${to}`
  return {
    id: toFeedId(service, 'turn', toSymbolKey(symbol), day),
    title: `${shown}: ${labels}`,
    text: `On ${day} (UTC) the consensus of ${shown} went from ${from} of 5 over ${before.active} active ratings to ${to} over ${after.active}.`,
    address: toAddress(`/symbols/${toPathPart(symbol)}${then}`),
    at,
    author: null,
    tags: [shown],
  }
}

const toShort = ({ consensus }: Point): string => toTwoPlaces(consensus)
