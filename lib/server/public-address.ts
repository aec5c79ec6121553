import 'server-only'
import { processEnv } from './env.ts'

/** The request header in which a page is told the path that was asked for; nobody outside can set it. */
export const PAGE_PATH = 'x-page-path'

/** What a `Host` may be made of: whatever else stands there is not written into a link. */
const HOST = /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/**
 * Where readers find the dashboard: `PUBLIC_URL`, else the host that the request named, which was checked before. By
 * https where a reverse proxy in front says so.
 */
export function toPublicOrigin(publicUrl: URL | null, headers: Pick<Headers, 'get'>): URL {
  if (publicUrl) return publicUrl
  const scheme = headers.get('x-forwarded-proto')?.split(',')[0] === 'https' ? 'https' : 'http'
  const host = headers.get('host') ?? ''
  const origin = `${scheme}://${host}`
  return new URL(HOST.test(host) && URL.canParse(origin) ? origin : 'http://localhost')
}

/** What a page's metadata says of where it stands: the origin, its path, and whether it may be listed. */
export function readPublicAddress(headers: Pick<Headers, 'get'>) {
  const parsed = processEnv()
  const { publicUrl, isIndexed } = parsed.ok ? parsed.env : { publicUrl: null, isIndexed: false }
  const path = headers.get(PAGE_PATH) ?? '/'
  return { origin: toPublicOrigin(publicUrl, headers), path, isIndexed }
}
