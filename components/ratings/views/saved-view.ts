import { outlookQuery } from '#lib/contract/outlook.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'
import { type RatingsView, ratingsView, readRatingsView } from '#lib/contract/ratings-view.ts'

/** `address` has no leading `?`. */
export type SavedView = { id: string; name: string; address: string }

export type SavedViews = readonly SavedView[]

export const VIEWS_MAX = 200
export const ADDRESS_MAX_LENGTH = 4000
export const NAME_MAX_LENGTH = 60

export function withView(views: SavedViews, view: SavedView): SavedViews {
  const replaced = views.find(({ id }) => id === view.id) ?? findByName(views, view.name)
  if (!replaced) return [...views, view]
  return views.map((other) => (other === replaced ? { ...view, id: replaced.id } : other))
}

export const withoutView = (views: SavedViews, id: string): SavedViews =>
  views.filter((view) => view.id !== id)

// Control and bidirectional characters make two names look alike. The joiners are needed.
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}]|(?![\u200c\u200d])\p{Cf}/u
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

type ReadName = { ok: true; name: string } | { ok: false; problem: string }

export function readName(text: string): ReadName {
  const name = text.normalize('NFC').trim()
  if (name === '') return { ok: false, problem: 'A view needs a name.' }
  if ([...name].length > NAME_MAX_LENGTH) {
    return { ok: false, problem: `A name can have at most ${NAME_MAX_LENGTH} characters.` }
  }
  if (UNPRINTABLE.test(name) || !VISIBLE.test(name)) {
    return { ok: false, problem: 'The name contains an invisible character.' }
  }
  return { ok: true, name }
}

const toKey = (name: string) =>
  name
    .normalize('NFKC')
    .replaceAll(/[\u200c\u200d]|\s+/g, ' ')
    .toLowerCase()

export const findByName = (views: SavedViews, name: string): SavedView | null =>
  views.find((view) => toKey(view.name) === toKey(name)) ?? null

/** `Buys 2` */
export function toFreeName(views: SavedViews, name: string): string {
  let free = name
  for (let number = 2; findByName(views, free); number += 1) {
    const end = ` ${number}`
    const start = [...name].slice(0, NAME_MAX_LENGTH - end.length).join('')
    free = `${start.trimEnd()}${end}`
  }
  return free
}

const BYTES = 8

/** `randomUUID` requires HTTPS, which a local network may lack. */
export function createViewId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** `columns` applies if the view has none. */
export function toViewAddress(view: RatingsView, columns: readonly string[] = []): string {
  const named = view.columns.length > 0 ? view.columns : [...columns]
  const kept = { ...view, page: 1, open: null, columns: named }
  return toQueryText(toParams(ratingsView, kept)).slice(1)
}

const canonical = new Map<string, string>()
const CANONICAL_MAX = 1000

/** Ignores unreadable parameters. */
export function toCanonicalAddress(address: string): string {
  const known = canonical.get(address)
  if (known !== undefined) return known
  const text = toViewAddress(readRatingsView(new URLSearchParams(address)).query)
  if (canonical.size >= CANONICAL_MAX) canonical.clear()
  canonical.set(address, text)
  return text
}

/** Adds `asof` (seconds since 1970; null is now) if the view has none. */
export function toViewHref(address: string, asof: number | null = null): string {
  const params = new URLSearchParams(address)
  return `/${toQueryText(params.has('asof') ? params : toParams(outlookQuery, { asof }, params))}`
}
