import { toKeptName } from './base-path.ts'

/** The cookie in which a browser says up to which generation of the archive it was shown ratings, by whichever node. */
export const SEEN_COOKIE = /* @__PURE__ */ toKeptName('bellwether-seen')

/** What an answer says that is of an earlier generation than its reader has seen: which one. */
export const BEHIND_HEADER = 'bellwether-behind'

const GENERATION = /^\d{1,15}$/

/** The generation in a request's or a page's cookies; null where there is none. */
export function readSeen(cookies: string): number | null {
  const start = `${SEEN_COOKIE}=`
  const found = cookies
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(start))
  return found === undefined ? null : toGeneration(found.slice(start.length))
}

/** A generation as a cookie or a header holds it; null where it is none. */
export const toGeneration = (text: string | null): number | null =>
  text !== null && GENERATION.test(text) ? Number(text) : null
