import { outlookQuery } from '#lib/contract/outlook.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'
import { type RatingsView, ratingsView, readRatingsView } from '#lib/contract/ratings-view.ts'

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

export const NAME_MAX_LENGTH = 60

// Controls, and the marks that turn writing around or take no room: they make two names look like one. The two joiners
// stay, which some scripts need.
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u
const SEEN = /[\p{L}\p{N}\p{P}\p{S}]/u
const LONE_SURROGATE = /\p{Surrogate}/u

export type ReadName = { ok: true; name: string } | { ok: false; problem: string }

/** A name as somebody wrote it: without blanks around it, at most 60 characters, each of them to be seen. */
export function readName(text: string): ReadName {
  const name = text.normalize('NFC').trim()
  if (name === '') return { ok: false, problem: 'A view needs a name.' }
  if ([...name].length > NAME_MAX_LENGTH) {
    return { ok: false, problem: `A name can have at most ${NAME_MAX_LENGTH} characters.` }
  }
  if (UNPRINTABLE.test(name) || LONE_SURROGATE.test(name) || !SEEN.test(name)) {
    return { ok: false, problem: 'This name holds an invisible character.' }
  }
  return { ok: true, name }
}

/** Two names that a reader would not tell apart are one. */
const toKey = (name: string) =>
  name
    .normalize('NFKC')
    .replaceAll(/[\u200c\u200d]|\s+/g, ' ')
    .toLowerCase()

/** Does another view have this name? */
export const isTaken = (name: string, views: readonly SavedView[], exceptId?: string): boolean =>
  views.some((view) => view.id !== exceptId && toKey(view.name) === toKey(name))

/** The name itself where it is free, or with the next number behind it: `Buys 2`. It stays within the length. */
export function toFreeName(name: string, views: readonly SavedView[], exceptId?: string): string {
  let free = name
  for (let number = 2; isTaken(free, views, exceptId); number += 1) {
    const end = ` ${number}`
    const letters = [...name.replace(/ \d{1,4}$/, '')]
    free = `${letters
      .slice(0, NAME_MAX_LENGTH - end.length)
      .join('')
      .trimEnd()}${end}`
  }
  return free
}

/** The name as somebody wrote it for one of these views, or what is wrong with it, with a name that would do. */
export function readNewName(
  text: string,
  views: readonly SavedView[],
  exceptId?: string,
): ReadName {
  const read = readName(text)
  if (!read.ok || !isTaken(read.name, views, exceptId)) return read
  const free = toFreeName(read.name, views, exceptId)
  return { ok: false, problem: `There is already a view of that name. “${free}” is free.` }
}

/** The views with names of their own: two tabs may have given the same name at once. */
export function withOwnNames<V extends SavedView>(views: readonly V[]): V[] {
  const named: V[] = []
  for (const view of views) named.push({ ...view, name: toFreeName(view.name, named) })
  return named
}

/**
 * The address text under which a view is kept: filters, order, page size, zone and columns. On which page somebody
 * was, and which rating was open, is no part of it. `columns` are those shown where the address names none.
 */
export function toViewAddress(view: RatingsView, columns: readonly string[] = []): string {
  const named = view.columns.length > 0 ? view.columns : [...columns]
  return toText({ ...view, page: 1, open: null, columns: named })
}

const toText = (view: RatingsView) => toQueryText(toParams(ratingsView, view)).slice(1)

const canonical = new Map<string, string>()
const CANONICAL_MAX = 1000

/** What an address comes to: texts that show the same are the same. What cannot be read in one does not count. */
export function toCanonicalAddress(address: string): string {
  const known = canonical.get(address)
  if (known !== undefined) return known
  const text = toViewAddress(readRatingsView(new URLSearchParams(address)).query)
  if (canonical.size >= CANONICAL_MAX) canonical.clear()
  canonical.set(address, text)
  return text
}

/**
 * The page's address of a saved view, as it was kept: what of it cannot be read any more, the page says. One that was
 * saved at no instant is shown at that where the reader stands (`asof` in seconds; null is now).
 */
export function toViewHref(address: string, asof: number | null = null): string {
  const params = new URLSearchParams(address)
  return `/${toQueryText(params.has('asof') ? params : toParams(outlookQuery, { asof }, params))}`
}
