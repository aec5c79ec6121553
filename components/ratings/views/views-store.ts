import {
  createKeptStore,
  type KeptProblem,
  type KeptStore,
  subscribeToKept,
  type TextStorage,
} from '#components/ui/kept-store.ts'
import { toKeptName } from '#lib/contract/base-path.ts'
import { NO_VIEWS, type SavedView, type SavedViews, withOwnNames } from './saved-view.ts'
import { VIEWS_KEY } from './storage-key.ts'
import { readViewsText, toStoredText } from './views-text.ts'

/**
 * What two tabs know, put together: of each view the later form, gone where its removal is the later thing. Whichever
 * is given first, the result is the same, so tabs that hear of each other end up with one collection.
 */
export function mergeViews(mine: SavedViews, theirs: SavedViews): SavedViews {
  const removed = latestById([...mine.removed, ...theirs.removed])
  const views = latestById([...mine.views, ...theirs.views])
  // A view that was changed while another tab removed it stays: what somebody wrote is not lost.
  const isGone = (id: string, revision: number) => (removed.get(id)?.revision ?? -1) > revision
  const [leading, following] = inOrder(mine, theirs)
  const ids = new Set([...leading.views, ...following.views].map(({ id }) => id))
  const kept = [...ids].flatMap((id) => views.get(id) ?? [])
  const merged = kept.filter(({ id, revision }) => !isGone(id, revision))
  return {
    views: merged,
    removed: [...removed.values()]
      .filter(({ id, revision }) => (views.get(id)?.revision ?? -1) < revision)
      .sort((a, b) => a.revision - b.revision || compare(a.id, b.id)),
    first: laterFirst(mine.first, theirs.first),
    orderRevision: leading.orderRevision + (isNewOrder(merged, leading, following) ? 1 : 0),
  }
}

/** An order made of two that are equally late is later than both: else it would depend on who hears of it next. */
const isNewOrder = (merged: SavedViews['views'], leading: SavedViews, following: SavedViews) =>
  leading.orderRevision === following.orderRevision &&
  [leading, following].every(({ views }) => toOrder(views) !== toOrder(merged))

const toOrder = (views: SavedViews['views']) => views.map(({ id }) => id).join()

type Stamped = { revision: number }

function latestById<T extends Stamped & { id: string }>(items: readonly T[]): Map<string, T> {
  const latest = new Map<string, T>()
  for (const item of items) {
    const other = latest.get(item.id)
    latest.set(item.id, other ? later(other, item) : item)
  }
  return latest
}

/** The later of two; of two that were made at once always the same one. */
function later<T extends Stamped>(a: T, b: T): T {
  if (a.revision !== b.revision) return a.revision > b.revision ? a : b
  return compare(JSON.stringify(a), JSON.stringify(b)) >= 0 ? a : b
}

/** A default that was never changed has the revision of no default: it wins over none. */
function laterFirst(a: SavedViews['first'], b: SavedViews['first']): SavedViews['first'] {
  if (a.revision === b.revision && (a.id === null || b.id === null)) return a.id === null ? b : a
  return later(a, b)
}

/** The collection whose order holds, then the other. */
function inOrder(a: SavedViews, b: SavedViews): [SavedViews, SavedViews] {
  if (a.orderRevision !== b.orderRevision) {
    return a.orderRevision > b.orderRevision ? [a, b] : [b, a]
  }
  // The longer list first: it mostly is the same order with one view behind it.
  if (a.views.length !== b.views.length) return a.views.length > b.views.length ? [a, b] : [b, a]
  return compare(toOrder(a.views), toOrder(b.views)) >= 0 ? [a, b] : [b, a]
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** A text that could not be read is put aside here before anything is written in its place. */
export const UNREADABLE_KEY = toKeptName('bellwether.views.unreadable')

export type ViewsProblem = KeptProblem

/** The saved views of a browser, in a storage. */
export const createViewsStore = (storage: () => TextStorage): KeptStore<SavedViews> =>
  createKeptStore(
    {
      key: VIEWS_KEY,
      unreadableKey: UNREADABLE_KEY,
      none: NO_VIEWS,
      read: (text) => {
        const found = readViewsText(text)
        return found.ok
          ? { ok: true, value: found.views, isWhole: found.leftOut.length === 0 }
          : found
      },
      toText: toStoredText,
      merge: mergeViews,
    },
    storage,
  )

export const viewsStore = createViewsStore(() => window.localStorage)

/** Calls back after each change of the saved views, in this tab or in another one; gives the way to stop that. */
export const subscribeToViews = (listener: () => void): (() => void) =>
  subscribeToKept(VIEWS_KEY, viewsStore, listener)

let listed: { of: SavedViews; views: SavedView[] } | null = null

/**
 * The saved views in the reader's order, each with a name of its own; the same array until they change, so that it
 * can be given to `useSyncExternalStore` with {@link subscribeToViews}. A view is opened by its address:
 * `/?${view.address}`. For the browser only; import it when it is first needed.
 */
export function loadViews(): readonly SavedView[] {
  const { saved } = viewsStore.load()
  if (listed?.of !== saved) listed = { of: saved, views: withOwnNames(saved.views) }
  return listed.views
}
