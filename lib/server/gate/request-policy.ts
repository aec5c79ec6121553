import 'server-only'
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { withBase } from '#lib/contract/base-path.ts'
import { processEnv } from '#lib/server/environment/env.ts'

/** What other sites may show in a frame; everything else of ours refuses to be framed. */
const EMBEDS = '/embed/'

/** Whether a path (as `URL.pathname` gives it) belongs to what other sites may frame. */
export const isEmbedPath = (path: string): boolean => path.startsWith(EMBEDS)

/** The request header in which a page of {@link isEmbedPath} is told its theme; nobody outside can set it. */
export const EMBED_THEME = 'x-embed-theme'

type PolicyOptions = {
  /** Of this one answer. */
  nonce: string
  path: string
  isDev: boolean
}

/**
 * The Content-Security-Policy that a page is rendered under: only scripts with the answer's nonce run; only embeds may be
 * framed. In the built application {@link toHashedPolicy} takes its place before the page leaves.
 */
export function toPagePolicy({ nonce, path, isDev }: PolicyOptions): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDev ? " 'unsafe-eval'" : ''}`,
    `style-src 'self' ${isDev ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    `connect-src 'self'${isDev ? ' ws:' : ''}`,
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    `form-action ${isEmbedPath(path) ? "'none'" : "'self'"}`,
    `frame-ancestors ${isEmbedPath(path) ? '*' : "'none'"}`,
  ].join('; ')
}

/** What a policy names a script by that stands in a page. */
export const toScriptHash = (script: string | Buffer): string =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`

/**
 * A page's policy without its nonce, for a page that many get: of the scripts in it those with these hashes run, and of
 * files only our own.
 */
export const toHashedPolicy = (policy: string, hashes: readonly string[]): string =>
  policy
    .replace(/'nonce-[^']+' 'strict-dynamic'/, hashes.join(' '))
    .replaceAll(/ 'nonce-[^']+'/g, '')

/** A page that is this old is better than none, where we cannot be reached. */
const STALE_SECONDS = 86_400

/**
 * What caches may do with a page. A browser keeps it for the way back and asks each time otherwise. A cache that many
 * readers share may send it for `sharedSeconds` without asking, a CDN the old one while it asks, and both for a day where
 * we do not answer; where `sharedSeconds` is 0, nobody but the browser keeps it.
 */
export function toCacheHeaders(sharedSeconds: number): Record<string, string> {
  if (sharedSeconds === 0) return { 'cache-control': 'private, no-cache' }
  const stale = `stale-if-error=${STALE_SECONDS}`
  return {
    'cache-control': `public, max-age=0, s-maxage=${sharedSeconds}, ${stale}`,
    // RFC 9213: what a browser would do with a page that is old, it must not.
    'cdn-cache-control': `public, max-age=${sharedSeconds}, stale-while-revalidate=60, ${stale}`,
  }
}

const PORT = /:\d+$/

/** Whether a request's `Host` is one that this process is served under; any is where `allowed` is null. */
export function isAllowedHost(allowed: readonly string[] | null, host: string | null): boolean {
  if (allowed === null) return true
  return host !== null && allowed.includes(host.toLowerCase().replace(PORT, ''))
}

/** The request header in which a page is told the path that was asked for; nobody outside can set it. */
export const PAGE_PATH = 'x-page-path'

/** Whether the first proxy on the way was asked by https, by what `X-Forwarded-Proto` says. */
export const isHttps = (forwardedProto: string | null): boolean =>
  forwardedProto?.split(',')[0] === 'https'

type Transport = { hstsSeconds: number; publicUrl: URL | null }

/**
 * What `Strict-Transport-Security` says to a request that came by https, by what a reverse proxy says or `PUBLIC_URL`; null
 * where it says nothing.
 */
export function toStrictTransport(
  { hstsSeconds, publicUrl }: Transport,
  forwardedProto: string | null,
): string | null {
  const cameByHttps = publicUrl?.protocol === 'https:' || isHttps(forwardedProto)
  return hstsSeconds > 0 && cameByHttps ? `max-age=${hstsSeconds}` : null
}

/** What a proxy in front says that it was asked by; null where none does. Of two the first. */
export const readForwardedProto = ({ 'x-forwarded-proto': proto }: IncomingHttpHeaders) =>
  [proto].flat()[0] ?? null

/** What a `Host` may be made of: whatever else stands there is not written into a link. */
const HOST = /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/**
 * Where readers find the dashboard: `PUBLIC_URL`, else the host that the request named, which was checked before. By
 * https where a reverse proxy in front says so.
 */
export function toPublicOrigin(publicUrl: URL | null, headers: Pick<Headers, 'get'>): URL {
  if (publicUrl) return publicUrl
  const scheme = isHttps(headers.get('x-forwarded-proto')) ? 'https' : 'http'
  const host = headers.get('host') ?? ''
  const origin = `${scheme}://${host}`
  return new URL(HOST.test(host) && URL.canParse(origin) ? origin : 'http://localhost')
}

/** What a page's metadata says of where it stands: the origin, its path there, and whether it may be listed. */
export function readPublicAddress(headers: Pick<Headers, 'get'>) {
  const parsed = processEnv()
  const { publicUrl, isIndexed } = parsed.ok ? parsed.env : { publicUrl: null, isIndexed: false }
  const path = withBase(headers.get(PAGE_PATH) ?? '/')
  return { origin: toPublicOrigin(publicUrl, headers), path, isIndexed }
}

/** An address of our own, whatever somebody wrote into a link to the way in; the first page where it is none. */
export function toLocalAddress(text: string | null): string {
  if (!text?.startsWith('/') || !URL.canParse(text, 'http://here')) return '/'
  const { host, pathname, search } = new URL(text, 'http://here')
  const isOurs = host === 'here' && !pathname.startsWith('//')
  return isOurs && !/^\/(?:api|sign-in)(?:\/|$)/.test(pathname) ? pathname + search : '/'
}
