import { type SavedView, toViewHref } from '#components/ratings/views/saved-view.ts'
import { type Held, type News, NO_NEWS, toNews } from '#components/watch/held.ts'
import { growthOf, type HeldById, type Star } from '#components/watch/stars.ts'
import { toStarId } from '#components/watch/watched.ts'
import type { Watching, WatchingAnswer } from '#lib/contract/answers/watching.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { type RatingsQuery, toQueryText } from '#lib/contract/ratings-query.ts'
import { readRatingsView } from '#lib/contract/ratings-view.ts'
import { only } from '#lib/contract/value-list.ts'
import { toWatchedText, WATCHED_MAX, watchingQuery } from '#lib/contract/watching-query.ts'

/** Why a star points at nothing any more, in words; null where it does, or where nobody knows yet. */
type Gone = string | null

/** A star with all that is known of what it is given to. `href` is its own page, null where it has none any more. */
export type WatchedLine = {
  id: string
  star: Star
  label: string
  /** What a symbol is called. */
  detail: string | null
  href: string | null
  held: Held | null
  /** What came since the last look. */
  news: News
  gone: Gone
}

/** What a saved view filters by, as the text that it is watched under; null where its address can no longer be read. */
export function readWatchedView(address: string): string | null {
  const { query, ignored } = readRatingsView(new URLSearchParams(address))
  const isOfFilters = ignored.some(({ parameter }) => !DISPLAY.has(parameter))
  return isOfFilters ? null : toWatchedText(query)
}

/** How the table is looked at says nothing of which ratings match. */
const DISPLAY = new Set(['sort', 'page', 'per_page', 'tz', 'open', 'columns'])

/** The texts of the views that stars are given to, by the id of the view. */
export const toViewTexts = (views: readonly SavedView[]): ReadonlyMap<string, string | null> =>
  new Map(views.map(({ id, address }) => [id, readWatchedView(address)]))

/** An address of more than so many characters may be refused on its way. */
const ADDRESS_MAX = 6000

/** The parameters of the requests for these stars, as few as addresses have room for. */
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
/** The queries of views by their texts. */
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

type Row = Pick<Held, 'ratings' | 'newest'> & { last_created_at: number | null }

/** What every thing of these answers holds; a view by its text. */
function readAnswers(answers: readonly WatchingAnswer[]) {
  const held = new Map<string, Held>()
  const named = new Map<string, Watching['symbols'][number]>()
  for (const { data, meta } of answers) {
    const toHeld = ({ ratings, newest, last_created_at: newestAt }: Row, of = ''): Held => ({
      ...{ ratings, newest, newestAt, consensus: null, active: 0, of },
      ...{ at: meta.as_of, generation: meta.generation },
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

type Known = { views: readonly SavedView[]; answers: readonly WatchingAnswer[] }

/** Every star with what is known of it, in the order in which the stars were given. */
export function toWatchedLines(stars: readonly Star[], { views, answers }: Known): WatchedLine[] {
  const { held: heldById, named } = readAnswers(answers)
  return stars.map((star) => {
    const id = toStarId(star)
    if (star.kind === 'view') return toViewLine(star, { views, heldById })
    const held = heldById.get(id) ?? null
    const row = named.get(id)
    const label = star.kind === 'user' ? `User ${star.key}` : (row?.symbol ?? star.key)
    return {
      ...{ id, star, label, held },
      detail: row?.name ?? null,
      href: star.kind === 'user' ? `/users/${star.key}` : `/symbols/${encodeURIComponent(label)}`,
      news: held === null ? NO_NEWS : toNews(star.seen, held, growthOf(star)),
      gone: held?.ratings === 0 ? NOBODY[star.kind] : null,
    }
  })
}

const NOBODY = {
  symbol: 'The archive holds no rating of this symbol.',
  user: 'The archive holds no rating by this user.',
} as const

type ViewsKnown = Pick<Known, 'views'> & { heldById: HeldById }

function toViewLine(star: Star, { views, heldById }: ViewsKnown): WatchedLine {
  const id = toStarId(star)
  const view = views.find((one) => one.id === star.key)
  if (!view) {
    const label = star.name === '' ? 'A view' : star.name
    const gone = 'This view was deleted.'
    return { id, star, label, detail: null, href: null, held: null, news: NO_NEWS, gone }
  }
  const text = readWatchedView(view.address)
  const held = (text !== null && heldById.get(toStarId({ kind: 'view', key: text }))) || null
  return {
    ...{ id, star, label: view.name, detail: null, held },
    href: toViewHref(view.address),
    news: held === null ? NO_NEWS : toNews(star.seen, held, 'changes'),
    gone: text === null ? 'The address of this view can no longer be read.' : null,
  }
}

/** What the lines hold, for a look at them. */
export const toLooks = (lines: readonly WatchedLine[]): HeldById =>
  new Map(lines.flatMap(({ id, held }) => (held === null ? [] : [[id, held] as const])))
