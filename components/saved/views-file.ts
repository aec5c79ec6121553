import * as z from 'zod/mini'
import { formatCount } from '#components/format/numbers.ts'
import {
  isKey,
  isSavedView,
  type SavedView,
  type Watched,
  type WatchedKind,
} from '#components/store/stored-state.ts'
import { parseJson } from '#lib/contract/json-text.ts'
import {
  createViewId,
  findByName,
  readName,
  type SavedViews,
  toFreeName,
  VIEWS_MAX,
} from './saved-view.ts'
import { type Stars, toStarId, withStar } from './stars.ts'

const VIEWS_FORMAT = 'bellwether.views'
const VIEWS_VERSION = 1
/** Characters. */
export const TEXT_MAX_LENGTH = 1_000_000

const header = z.object({ format: z.literal(VIEWS_FORMAT), version: z.int() })
const document = z.object({ views: z.array(z.unknown()), watched: z.optional(z.unknown()) })

type ReadViews =
  | { ok: true; views: SavedViews; watched: Watched[] }
  | { ok: false; problem: string }

/** Never throws. */
export function readViewsText(text: string): ReadViews {
  const refuse = (problem: string) => ({ ok: false, problem }) as const
  if (text.length > TEXT_MAX_LENGTH) return refuse('The file is too long for a list of views.')
  const json = parseJson(text)
  const head = header.safeParse(json)
  if (!head.success) return refuse('The file is not a list of views from this dashboard.')
  if (head.data.version > VIEWS_VERSION) {
    return refuse('A newer version of this dashboard saved these views.')
  }
  const read = document.safeParse(json)
  if (!read.success) return refuse('The list of views is damaged.')
  const count = read.data.views.length
  if (count > VIEWS_MAX) {
    return refuse(`The file has ${formatCount(count)} views; at most ${VIEWS_MAX} can be saved.`)
  }
  const views: SavedView[] = []
  for (const item of read.data.views) {
    if (!isSavedView(item) || views.some(({ id }) => id === item.id)) continue
    const name = readName(item.name)
    if (name.ok && !findByName(views, name.name)) {
      const { id, address } = item
      views.push({ id, name: name.name, address })
    }
  }
  return { ok: true, views, watched: readWatched(read.data.watched) }
}

const watchedKeys = z.object({
  symbols: z._default(z.array(z.unknown()), []),
  users: z._default(z.array(z.unknown()), []),
  views: z._default(z.array(z.unknown()), []),
})

function readWatched(json: unknown): Watched[] {
  const read = watchedKeys.safeParse(json)
  if (!read.success) return []
  const { symbols, users, views } = read.data
  const of = (kind: WatchedKind, values: unknown[]) =>
    values.map((value): Watched => ({ kind, key: toKey(value), name: '' }))
  const all = [...of('symbol', symbols), ...of('user', users), ...of('view', views)]
  return [
    ...new Map(
      all.filter(({ kind, key }) => isKey(kind, key)).map((one) => [toStarId(one), one]),
    ).values(),
  ]
}

const toKey = (value: unknown): string =>
  typeof value === 'string' ? value : Number.isSafeInteger(value) ? String(value) : ''

export function toFileText(views: SavedViews, stars: Stars): string {
  const keysOf = (kind: WatchedKind) =>
    stars.filter((star) => star.kind === kind).map(({ key }) => key)
  const watched = {
    symbols: keysOf('symbol'),
    users: keysOf('user').map(Number),
    views: keysOf('view'),
  }
  const file = { format: VIEWS_FORMAT, version: VIEWS_VERSION, views }
  return `${JSON.stringify(stars.length === 0 ? file : { ...file, watched }, null, 2)}\n`
}

type Added = {
  views: SavedViews
  stars: Stars
  addedCount: number
  knownCount: number
  starCount: number
}

type AddedFromFile = ({ ok: true } & Added) | { ok: false; problem: string }

type Own = { views: SavedViews; stars: Stars }

/** A view exists if one has the same name and address. Stars follow a view to its id here. */
export function addFromFile(text: string, { views, stars }: Own): AddedFromFile {
  const read = readViewsText(text)
  if (!read.ok) return read
  if (read.views.length + read.watched.length === 0) {
    return { ok: false, problem: 'The file has no views that can be read.' }
  }
  const ids = new Map<string, SavedView>()
  const all = [...views]
  for (const view of read.views) {
    const twin = views.find(({ name, address }) => name === view.name && address === view.address)
    const isTaken = all.some(({ id }) => id === view.id)
    const id = isTaken ? createViewId() : view.id
    const own = twin ?? { ...view, id, name: toFreeName(all, view.name) }
    ids.set(view.id, own)
    if (!twin) all.push(own)
  }
  if (all.length > VIEWS_MAX) {
    return { ok: false, problem: `At most ${VIEWS_MAX} views can be saved.` }
  }
  const watched = read.watched.flatMap((one) => {
    if (one.kind !== 'view') return one
    const view = ids.get(one.key) ?? views.find(({ id }) => id === one.key)
    return view ? { ...one, key: view.id, name: view.name } : []
  })
  const withStars = watched.reduce<Stars>(withStar, stars)
  const addedCount = all.length - views.length
  return {
    ok: true,
    views: all,
    stars: withStars,
    addedCount,
    knownCount: read.views.length - addedCount,
    starCount: withStars.length - stars.length,
  }
}
