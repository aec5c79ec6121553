import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { selectRatings } from '#lib/archive/ratings/ratings.ts'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { AppError } from '#lib/contract/faults.ts'
import { toParams, toQueryText } from '#lib/contract/query-schema.ts'
import { predictionText, ratingLabel } from '#lib/contract/rating-fields.ts'
import {
  EVERY_RATING,
  LINK_PARAMETER,
  newestRatingsQuery,
  type RatingsQuery,
  ratingsFeedQuery,
} from '#lib/contract/ratings-query.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import type { ApiDeps, Respond, Sender, SharedDeps } from './endpoint.ts'
import { matchesEtag, readParameters, toContentHash } from './respond.ts'

const NO_ORIGIN = new URL('http://localhost')
const MINUTE_SECONDS = 60

export const respondRatingsFeed: Respond = async (deps, { request, sender, params }) => {
  const query = readParameters(ratingsFeedQuery, params)
  const minute = query.state === null ? 0 : Math.floor(deps.now() / MINUTE_SECONDS)
  return await sendFeed(
    deps,
    { request, sender },
    {
      own: '/api/ratings.atom',
      mark: `${minute}`,
      load: async (place) => await loadRatings(deps, { ...EVERY_RATING, ...query }, place),
    },
  )
}

export type FeedContext = {
  toAddress: (address: string) => string
  toFeedAddress: (params: URLSearchParams) => string
  signal: AbortSignal
}

type FeedRequest = {
  own: string
  mark: string
  load: (context: FeedContext) => Promise<Feed>
}

export async function sendFeed(
  deps: ApiDeps & SharedDeps,
  { request, sender }: { request: Request; sender: Sender },
  { own, mark, load }: FeedRequest,
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
      const document = documents.get(state) ?? toSentDocument(await load(place))
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
  return new Response(body, {
    headers: { ...headers, 'content-type': `${ATOM_TYPE}; charset=utf-8` },
  })
}

type SentDocument = { body: string; etag: string; lastModified: string | null }

function toSentDocument(feed: Feed): SentDocument {
  const body = toAtom(feed)
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

/** Seconds since 1970; absolute addresses. */
export type FeedEntry = {
  /** Stable across changes of the address ({@link toFeedId}). */
  id: string
  title: string
  text: string
  address: string
  at: number
  author: { name: string; address: string } | null
  tags: readonly string[]
}

/** `next` is older, `previous` newer (RFC 5005). */
export type Feed = {
  id: string
  title: string
  subtitle: string
  self: string
  page: string
  first: string
  next: string | null
  previous: string | null
  entries: readonly FeedEntry[]
}

const NAMESPACE = Buffer.from('5f0c2f7c1f5b4a35a7ce9d0f6f3f2f61', 'hex')

export function toFeedId(...name: readonly (string | number)[]): string {
  const hash = createHash('sha1').update(NAMESPACE).update(JSON.stringify(name)).digest()
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80
  const hex = hash.toString('hex', 0, 16)
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)]
  return `urn:uuid:${[...parts, hex.slice(20)].join('-')}`
}

const toTime = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

/** Null without entries. */
const selectNewest = ({ entries }: Feed): number | null =>
  entries.reduce<number | null>((newest, { at }) => Math.max(newest ?? at, at), null)

/** Atom requires an instant. */
const NEVER = 0

/** No charset: readers match the exact type. */
const ATOM_TYPE = 'application/atom+xml'

export function toAtom(feed: Feed): string {
  const links = [
    toLink('self', feed.self, ATOM_TYPE),
    toLink('alternate', feed.page, 'text/html'),
    toLink('first', feed.first, ATOM_TYPE),
    ...(feed.previous === null ? [] : [toLink('previous', feed.previous, ATOM_TYPE)]),
    ...(feed.next === null ? [] : [toLink('next', feed.next, ATOM_TYPE)]),
  ]
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    toElement('id', feed.id),
    toElement('title', feed.title),
    toElement('subtitle', feed.subtitle),
    toElement('updated', toTime(selectNewest(feed) ?? NEVER)),
    `<author>${toElement('name', 'Bellwether')}</author>`,
    ...links,
    ...feed.entries.map(toAtomEntry),
    '</feed>',
    '',
  ].join('\n')
}

function toAtomEntry({ id, title, text, address, at, author, tags }: FeedEntry): string {
  return [
    '<entry>',
    toElement('id', id),
    toElement('title', title),
    toElement('updated', toTime(at)),
    toElement('published', toTime(at)),
    ...(author
      ? [`<author>${toElement('name', author.name)}${toElement('uri', author.address)}</author>`]
      : []),
    toLink('alternate', address, 'text/html'),
    ...tags.map((tag) => `<category term="${toEscaped(tag)}"/>`),
    `<content type="text">${toEscaped(text)}</content>`,
    '</entry>',
  ].join('\n')
}

const toElement = (name: string, text: string) => `<${name}>${toEscaped(text)}</${name}>`

const toLink = (rel: string, address: string, type: string) =>
  `<link rel="${rel}" type="${toEscaped(type)}" href="${toEscaped(address)}"/>`

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Forbidden by XML 1.0 even when escaped. */
const IMPOSSIBLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

const toEscaped = (text: string): string =>
  text.replace(IMPOSSIBLE, '\ufffd').replace(/[&<>"']/g, (found) => ESCAPES[found] ?? found)
