import { withBase } from '#lib/contract/base-path.ts'
import { BEHIND_HEADER, SEEN_COOKIE, toGeneration } from '#lib/contract/seen.ts'

/** So long a node may be waited for; a generation that was lost with a database is forgotten by then. */
const SEEN_SECONDS = 60

/** What holds the cookies of the page: `document`. */
export type CookieJar = { cookie: string }

/** Has the browser say that it was shown this generation. */
export function writeSeen(generation: number, jar: CookieJar): void {
  const attributes = `path=${withBase('/')}; max-age=${SEEN_SECONDS}; samesite=lax`
  jar.cookie = `${SEEN_COOKIE}=${generation}; ${attributes}`
}

/** A node that was given a moment in vain says what it holds: from then on that is what was seen, and nobody waits for more. */
export function takeBehind({ headers }: Response, jar?: CookieJar): void {
  const generation = toGeneration(headers.get(BEHIND_HEADER))
  if (generation !== null) writeSeen(generation, jar ?? document)
}
