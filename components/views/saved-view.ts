/**
 * A view of the ratings under a name. `address` is the text of the page's query (`symbol=AAPL&sort=id`), without its
 * question mark: what the view shows is read from there and nowhere else.
 */
export type SavedView = { id: string; name: string; address: string }

/** A part of the collection with the number of the change that made it so; the higher one is the later one. */
type Stamped<T> = T & { revision: number }

/**
 * Every saved view of this browser, in a form that two tabs can put together whoever wrote last. `views` stand in
 * the order of the list; `removed` are ids that are gone, so that no other tab brings them back.
 */
export type SavedViews = {
  views: readonly Stamped<SavedView>[]
  removed: readonly Stamped<{ id: string }>[]
  /** The view that the page opens with. */
  first: Stamped<{ id: string | null }>
  /** The number of the change that made the order. */
  orderRevision: number
}

export const NO_VIEWS: SavedViews = {
  views: [],
  removed: [],
  first: { id: null, revision: 0 },
  orderRevision: 0,
}

export const VIEWS_MAX = 200
export const ADDRESS_MAX_LENGTH = 4000

/** The view that the page opens with, if there is one. */
export const selectFirst = ({ views, first }: SavedViews): SavedView | null =>
  views.find(({ id }) => id === first.id) ?? null

const nextRevision = ({ views, removed, first, orderRevision }: SavedViews): number =>
  1 + Math.max(first.revision, orderRevision, ...[...views, ...removed].map((one) => one.revision))

/** With this view: changed in its place where its id is there, behind the others where it is not. */
export function withView(all: SavedViews, view: SavedView): SavedViews {
  const stamped = { ...toPlain(view), revision: nextRevision(all) }
  const isKnown = all.views.some(({ id }) => id === view.id)
  return {
    ...all,
    views: isKnown
      ? all.views.map((other) => (other.id === view.id ? stamped : other))
      : [...all.views, stamped],
    removed: all.removed.filter(({ id }) => id !== view.id),
  }
}

/** How many removed ids are remembered: a tab that was last looked at before so many is a rare tab. */
const REMOVED_MAX = 300

/** Without this view. It stays the first one by its id, so that bringing it back brings that back too. */
export function withoutView(all: SavedViews, id: string): SavedViews {
  if (!all.views.some((view) => view.id === id)) return all
  return {
    ...all,
    views: all.views.filter((view) => view.id !== id),
    removed: [...all.removed, { id, revision: nextRevision(all) }].slice(-REMOVED_MAX),
  }
}

/** With this view moved to a place in the list, counted from 0. */
export function withPlace(all: SavedViews, id: string, place: number): SavedViews {
  const moved = all.views.find((view) => view.id === id)
  if (!moved) return all
  const others = all.views.filter((view) => view.id !== id)
  const at = Math.min(Math.max(place, 0), others.length)
  const views = [...others.slice(0, at), moved, ...others.slice(at)]
  return { ...all, views, orderRevision: nextRevision(all) }
}

/** With this view as the one that the page opens with; null for none. */
export const withFirst = (all: SavedViews, id: string | null): SavedViews => ({
  ...all,
  first: { id, revision: nextRevision(all) },
})

const toPlain = ({ id, name, address }: SavedView): SavedView => ({ id, name, address })
