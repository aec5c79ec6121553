import { withBase } from '#lib/contract/base-path.ts'
import { BEHIND_HEADER, SEEN_COOKIE, toGeneration } from '#lib/contract/seen.ts'

/** Bounds waiting for a generation that was lost with a database. */
const SEEN_SECONDS = 60

export type CookieJar = { cookie: string }

export function writeSeen(generation: number, jar: CookieJar): void {
  const attributes = `path=${withBase('/')}; max-age=${SEEN_SECONDS}; samesite=lax`
  jar.cookie = `${SEEN_COOKIE}=${generation}; ${attributes}`
}

/** A node that could not catch up reports its generation, so that later requests do not wait. */
export function takeBehind({ headers }: Response, jar?: CookieJar): void {
  const generation = toGeneration(headers.get(BEHIND_HEADER))
  if (generation !== null) writeSeen(generation, jar ?? document)
}
