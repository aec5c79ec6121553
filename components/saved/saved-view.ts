import type { SavedView } from '#components/store/stored-state.ts'

export type SavedViews = readonly SavedView[]

export const VIEWS_MAX = 200
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
