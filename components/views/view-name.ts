import type { SavedView } from './saved-view.ts'

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
    return { ok: false, problem: `A name has at most ${NAME_MAX_LENGTH} characters.` }
  }
  if (UNPRINTABLE.test(name) || LONE_SURROGATE.test(name) || !SEEN.test(name)) {
    return { ok: false, problem: 'This name holds a character that cannot be seen.' }
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
  return { ok: false, problem: `There is a view of that name. “${free}” is free.` }
}

/** The views with names of their own: two tabs may have given the same name at once. */
export function withOwnNames<V extends SavedView>(views: readonly V[]): V[] {
  const named: V[] = []
  for (const view of views) named.push({ ...view, name: toFreeName(view.name, named) })
  return named
}
