/** Browsers and servers resolve `.` and `..` in a path, encoded or not: a tilde precedes them. */
const DOTS = /^~*\.{1,2}$/

/** One part of an address path: `BRK/B` → `BRK%2FB`, `.` → `~.`, `~.` → `~~.`. */
export const toPathPart = (text: string): string =>
  encodeURIComponent(DOTS.test(text) ? `~${text}` : text)

/** Inverse of `toPathPart`. Throws URIError for a malformed escape. */
export function readPathPart(part: string): string {
  const text = decodeURIComponent(part)
  return DOTS.test(text) ? text.replace('~', '') : text
}

/** Returns invalid percent-encoding unchanged. */
export function toPathText(part: string): string {
  try {
    return readPathPart(part)
  } catch {
    return part
  }
}

/** Null for a malformed escape. */
export function decodeEscapes(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

export const isDecodable = (text: string): boolean => decodeEscapes(text) !== null

/** Adds the page to open after signing in. */
export function withNext(path: string, next: string, more: Record<string, string> = {}): string {
  const query = String(new URLSearchParams({ ...(next !== '/' && { next }), ...more }))
  return query === '' ? path : `${path}?${query}`
}
