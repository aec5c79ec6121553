import { toKeptName } from './base-path.ts'

export const SEEN_COOKIE = /* @__PURE__ */ toKeptName('bellwether-seen')

/** Set on an answer older than what the reader has seen; holds the answer's generation. */
export const BEHIND_HEADER = 'bellwether-behind'

const GENERATION = /^\d{1,15}$/

export function readSeen(cookies: string): number | null {
  const start = `${SEEN_COOKIE}=`
  const found = cookies
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(start))
  return found === undefined ? null : toGeneration(found.slice(start.length))
}

export const toGeneration = (text: string | null): number | null =>
  text !== null && GENERATION.test(text) ? Number(text) : null
