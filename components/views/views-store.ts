import * as z from 'zod/mini'
import { formatCount } from '#components/format/numbers.ts'
import {
  createKeptStore,
  type KeptProblem,
  type KeptStore,
  subscribeToKept,
  type TextStorage,
} from '#components/ui/kept-store.ts'
import type { Stars } from '#components/watch/stars.ts'
import { readWatchedInFile, toWatchedInFile } from '#components/watch/stars-text.ts'
import type { Watched } from '#components/watch/watched.ts'
import { toKeptName } from '#lib/contract/base-path.ts'
import { parseJson } from '#lib/contract/json-text.ts'
import {
  ADDRESS_MAX_LENGTH,
  createViewId,
  findByName,
  readName,
  type SavedView,
  type SavedViews,
  toFreeName,
  VIEWS_MAX,
} from './saved-view.ts'
import { VIEWS_KEY } from './storage-key.ts'

const VIEWS_FORMAT = 'bellwether.views'
const VIEWS_VERSION = 1
/** Characters. */
export const TEXT_MAX_LENGTH = 1_000_000

const savedView = z.object({
  id: z.string().check(z.regex(/^[a-z0-9-]{1,40}$/)),
  name: z.string(),
  address: z.string().check(z.maxLength(ADDRESS_MAX_LENGTH)),
})

const header = z.object({ format: z.literal(VIEWS_FORMAT), version: z.int() })
/** `watched` occurs in files only. */
const document = z.object({ views: z.array(z.unknown()), watched: z.optional(z.unknown()) })

type ReadViews =
  | { ok: true; views: SavedViews; invalidCount: number; watched: Watched[] }
  | { ok: false; problem: string; isNewer: boolean }

/** Never throws. */
export function readViewsText(text: string): ReadViews {
  const refuse = (problem: string, isNewer = false) => ({ ok: false, problem, isNewer }) as const
  if (text.length > TEXT_MAX_LENGTH) return refuse('The file is too long for a list of views.')
  const json = parseJson(text)
  const head = header.safeParse(json)
  if (!head.success) return refuse('The file is not a list of views from this dashboard.')
  if (head.data.version > VIEWS_VERSION) {
    return refuse('A newer version of this dashboard saved these views.', true)
  }
  const read = document.safeParse(json)
  if (!read.success) return refuse('The list of views is damaged.')
  const count = read.data.views.length
  if (count > VIEWS_MAX) {
    return refuse(`The file has ${formatCount(count)} views; at most ${VIEWS_MAX} can be saved.`)
  }
  const views: SavedView[] = []
  for (const item of read.data.views) {
    const view = savedView.safeParse(item)
    const name = readName(view.data?.name ?? '')
    if (!view.success || !name.ok || findByName(views, name.name)) continue
    if (views.some(({ id }) => id === view.data.id)) continue
    views.push({ ...view.data, name: name.name })
  }
  return {
    ok: true,
    views,
    invalidCount: count - views.length,
    watched: readWatchedInFile(read.data.watched),
  }
}

const toDocument = (views: SavedViews) => ({ format: VIEWS_FORMAT, version: VIEWS_VERSION, views })

export const toFileText = (views: SavedViews, stars: Stars): string =>
  `${JSON.stringify({ ...toDocument(views), watched: toWatchedInFile(stars) }, null, 2)}\n`

/** Unreadable text is moved here before it is overwritten. */
export const UNREADABLE_KEY = toKeptName('bellwether.views.unreadable')

export type ViewsProblem = KeptProblem

export const createViewsStore = (storage: () => TextStorage): KeptStore<SavedViews> =>
  createKeptStore(
    {
      key: VIEWS_KEY,
      unreadableKey: UNREADABLE_KEY,
      none: [],
      read: (text) => {
        const found = readViewsText(text)
        if (!found.ok) return found
        return { ok: true, value: found.views, isWhole: found.invalidCount === 0 }
      },
      toText: (views) => JSON.stringify(toDocument(views)),
      // The last write wins.
      merge: (_, stored) => stored,
    },
    storage,
  )

export const viewsStore = createViewsStore(() => window.localStorage)

export const subscribeToViews = (listener: () => void): (() => void) =>
  subscribeToKept(VIEWS_KEY, viewsStore, listener)

export const loadViews = (): SavedViews => viewsStore.load().saved

type Added = { views: SavedViews; watched: Watched[]; addedCount: number; knownCount: number }

type AddedViews = ({ ok: true } & Added) | { ok: false; problem: string }

/** A view exists if one has the same name and address. `watched` uses local view ids. */
export function addViews(text: string, views: SavedViews): AddedViews {
  const read = readViewsText(text)
  if (!read.ok) return read
  if (read.views.length + read.watched.length === 0) {
    return { ok: false, problem: 'The file has no views that can be read.' }
  }
  const ids = new Map<string, SavedView>()
  const all = [...views]
  let addedCount = 0
  for (const view of read.views) {
    const twin = views.find(({ name, address }) => name === view.name && address === view.address)
    const isTaken = all.some(({ id }) => id === view.id)
    const id = isTaken ? createViewId() : view.id
    const own = twin ?? { ...view, id, name: toFreeName(all, view.name) }
    ids.set(view.id, own)
    if (twin) continue
    all.push(own)
    addedCount += 1
  }
  if (all.length > VIEWS_MAX) {
    return { ok: false, problem: `At most ${VIEWS_MAX} views can be saved.` }
  }
  const watched = read.watched.flatMap((one) => {
    if (one.kind !== 'view') return one
    const view = ids.get(one.key) ?? views.find(({ id }) => id === one.key)
    return view ? { ...one, key: view.id, name: view.name } : []
  })
  return { ok: true, views: all, watched, addedCount, knownCount: read.views.length - addedCount }
}
