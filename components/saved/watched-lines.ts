import type { LastSeen, SavedView, Star } from '#components/store/stored-state.ts'
import type { Watching, WatchingAnswer } from '#lib/contract/answers/changes.ts'
import { toPathPart } from '#lib/contract/path-part.ts'
import { toParams, toQueryText } from '#lib/contract/query-schema.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { readRatingsView } from '#lib/contract/ratings-view.ts'
import { only } from '#lib/contract/value-list.ts'
import { toWatchedText, WATCHED_MAX, watchingQuery } from '#lib/contract/watching-query.ts'
import { type NewRatings, NO_NEW_RATINGS, toNewRatings } from './last-seen.ts'
import { growthOf, type LastSeenById, toStarId } from './stars.ts'
import { toViewHref } from './view-pages.ts'

/** Null if valid or unknown. */
type MissingReason = string | null

export type WatchedLine = {
  id: string
  star: Star
  label: string
  detail: string | null
  href: string | null
  held: LastSeen | null
  news: NewRatings
  gone: MissingReason
}

/** Null if the address is unreadable. */
export function readWatchedView(address: string): string | null {
  const { query, ignored } = readRatingsView(new URLSearchParams(address))
  const isOfFilters = ignored.some(({ parameter }) => !DISPLAY.has(parameter))
  return isOfFilters ? null : toWatchedText(query)
}

// `tz`: in older views.
const DISPLAY = new Set(['sort', 'page', 'per_page', 'tz', 'open', 'columns'])

export const toViewTexts = (views: readonly SavedView[]): ReadonlyMap<string, string | null> =>
  new Map(views.map(({ id, address }) => [id, readWatchedView(address)]))

/** Longer URLs may be rejected. */
const ADDRESS_MAX = 6000

export function toWatchingParams(
  stars: readonly Star[],
  texts: ReadonlyMap<string, string | null>,
): URLSearchParams[] {
  const batches: Batch[] = []
  const views = new Map<string, RatingsQuery>()
  for (const { kind, key } of stars) {
    const value = kind === 'view' ? (texts.get(key) ?? null) : key
    if (value === null) continue
    if (kind === 'view') views.set(value, readRatingsView(new URLSearchParams(value)).query)
    const empty: Batch = { symbol: [], user: [], view: [] }
    const room = batches.find((one) => hasRoom(one, { kind, value }, views)) ?? empty
    if (!batches.includes(room)) batches.push(room)
    if (!room[kind].includes(value)) room[kind].push(value)
  }
  return batches.map((batch) => toBatchParams(batch, views))
}

type Batch = Record<Star['kind'], string[]>
type Views = ReadonlyMap<string, RatingsQuery>

function hasRoom(
  batch: Batch,
  { kind, value }: { kind: Star['kind']; value: string },
  views: Views,
): boolean {
  if (batch[kind].length >= WATCHED_MAX[kind]) return false
  const longer = { ...batch, [kind]: [...batch[kind], value] }
  return toQueryText(toBatchParams(longer, views)).length <= ADDRESS_MAX
}

const toBatchParams = ({ symbol, user, view }: Batch, views: Views): URLSearchParams =>
  toParams(watchingQuery, {
    symbol: only(...symbol),
    user: only(...user.map(Number)),
    view: view.flatMap((text) => views.get(text) ?? []),
  })

type Row = Pick<LastSeen, 'ratings' | 'newest'> & { last_created_at: number | null }

function readAnswers(answers: readonly WatchingAnswer[]) {
  const held = new Map<string, LastSeen>()
  const named = new Map<string, Watching['symbols'][number]>()
  for (const { data, meta } of answers) {
    const toHeld = ({ ratings, newest, last_created_at: newestAt }: Row, of = ''): LastSeen => ({
      ratings,
      newest,
      newestAt,
      consensus: null,
      active: 0,
      of,
      at: meta.as_of,
      generation: meta.generation,
    })
    for (const row of data.symbols) {
      const id = toStarId({ kind: 'symbol', key: toSymbolKey(row.symbol) })
      held.set(id, { ...toHeld(row), consensus: row.consensus, active: row.active })
      named.set(id, row)
    }
    for (const row of data.users) {
      held.set(toStarId({ kind: 'user', key: String(row.user_id) }), toHeld(row))
    }
    for (const row of data.views) {
      held.set(toStarId({ kind: 'view', key: row.view }), toHeld(row, row.view))
    }
  }
  return { held, named }
}

type WatchedData = { views: readonly SavedView[]; answers: readonly WatchingAnswer[] }

export function toWatchedLines(
  stars: readonly Star[],
  { views, answers }: WatchedData,
): WatchedLine[] {
  const { held: heldById, named } = readAnswers(answers)
  return stars.map((star) => {
    const id = toStarId(star)
    if (star.kind === 'view') return toViewLine(star, { views, heldById })
    const held = heldById.get(id) ?? null
    const row = named.get(id)
    const label = star.kind === 'user' ? `User ${star.key}` : (row?.symbol ?? star.key)
    return {
      id,
      star,
      label,
      held,
      detail: row?.name ?? null,
      href: star.kind === 'user' ? `/users/${star.key}` : `/symbols/${toPathPart(label)}`,
      news: held === null ? NO_NEW_RATINGS : toNewRatings(star.seen, held, growthOf(star)),
      gone: held?.ratings === 0 ? NOBODY[star.kind] : null,
    }
  })
}

const NOBODY = {
  symbol: 'The archive holds no rating of this symbol.',
  user: 'The archive holds no rating by this user.',
} as const

type WatchedViews = Pick<WatchedData, 'views'> & { heldById: LastSeenById }

function toViewLine(star: Star, { views, heldById }: WatchedViews): WatchedLine {
  const id = toStarId(star)
  const view = views.find((one) => one.id === star.key)
  if (!view) {
    const label = star.name === '' ? 'A view' : star.name
    const gone = 'This view was deleted.'
    return { id, star, label, detail: null, href: null, held: null, news: NO_NEW_RATINGS, gone }
  }
  const text = readWatchedView(view.address)
  const held = (text !== null && heldById.get(toStarId({ kind: 'view', key: text }))) || null
  return {
    id,
    star,
    label: view.name,
    detail: null,
    held,
    href: toViewHref(view.address),
    news: held === null ? NO_NEW_RATINGS : toNewRatings(star.seen, held, 'changes'),
    gone: text === null ? 'The address of this view can no longer be read.' : null,
  }
}

export const toLooks = (lines: readonly WatchedLine[]): LastSeenById =>
  new Map(lines.flatMap(({ id, held }) => (held === null ? [] : [[id, held] as const])))
