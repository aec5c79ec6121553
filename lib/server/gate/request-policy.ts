import 'server-only'
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

export const isEmbedPath = (path: string): boolean => path.startsWith('/embed/')

type PolicyOptions = {
  path: string
  isDev: boolean
  /** Sources of the inline scripts of the page. */
  scriptHashes?: readonly string[]
}

export function toPagePolicy({ path, isDev, scriptHashes = [] }: PolicyOptions): string {
  const isEmbed = isEmbedPath(path)
  return [
    "default-src 'self'",
    ["script-src 'self'", ...scriptHashes, ...(isDev ? ["'unsafe-eval'"] : [])].join(' '),
    `style-src 'self'${isDev ? " 'unsafe-inline'" : ''}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    `connect-src 'self'${isDev ? ' ws:' : ''}`,
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    `form-action ${isEmbed ? "'none'" : "'self'"}`,
    `frame-ancestors ${isEmbed ? '*' : "'none'"}`,
  ].join('; ')
}

const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script>/g

/** The hash of each inline script of a finished page. */
export function listScriptHashes(html: string): string[] {
  const hashes = new Set<string>()
  for (const [, attributes = '', script = ''] of html.matchAll(SCRIPT)) {
    if (!/\ssrc=/.test(attributes)) hashes.add(toScriptHash(script))
  }
  return [...hashes]
}

const toScriptHash = (script: string): string =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`

/** How long an old page may be served during an outage. */
const STALE_SECONDS = 86_400

/** Shared caches may serve `sharedSeconds` without revalidation; 0 makes pages private. */
export function toCacheHeaders(sharedSeconds: number): Record<string, string> {
  if (sharedSeconds === 0) return { 'cache-control': 'private, no-cache' }
  const stale = `stale-if-error=${STALE_SECONDS}`
  return {
    'cache-control': `public, max-age=0, s-maxage=${sharedSeconds}, ${stale}`,
    // RFC 9213: stale rules for CDNs, not for browsers.
    'cdn-cache-control': `public, max-age=${sharedSeconds}, stale-while-revalidate=60, ${stale}`,
  }
}

/** The last value is the nearest proxy's: earlier ones are client-controlled. */
export const isForwardedHttps = ({ 'x-forwarded-proto': proto }: IncomingHttpHeaders): boolean =>
  /(?:^|,)[ \t]*https[ \t]*$/i.test(String(proto ?? ''))

/** Browsers report an error where they do not obey this header. */
export const toClearing = (host: string, isHttps: boolean): Record<string, string> =>
  isHttps || LOOPBACK.test(host) ? { 'clear-site-data': '"cache"' } : {}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i

type Transport = { hstsSeconds: number; publicUrl: URL | null }

/** Null unless the request came by https. */
export function toStrictTransport(
  { hstsSeconds, publicUrl }: Transport,
  isHttps: boolean,
): string | null {
  const cameByHttps = publicUrl?.protocol === 'https:' || isHttps
  return hstsSeconds > 0 && cameByHttps ? `max-age=${hstsSeconds}` : null
}

const HOST = /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/** `PUBLIC_URL`, or where the client sent its request. */
export function toPublicOrigin(
  publicUrl: URL | null,
  { host, isHttps }: { host: string; isHttps: boolean },
): URL {
  if (publicUrl) return publicUrl
  const origin = `${isHttps ? 'https' : 'http'}://${host}`
  return new URL(HOST.test(host) && URL.canParse(origin) ? origin : 'http://localhost')
}

/** Prevents open redirects. */
export function toLocalAddress(text: string | null): string {
  if (!text?.startsWith('/') || !URL.canParse(text, 'http://here')) return '/'
  const { host, pathname, search } = new URL(text, 'http://here')
  const isOurs = host === 'here' && !pathname.startsWith('//')
  return isOurs && !/^\/(?:api|sign-in)(?:\/|$)/.test(pathname) ? pathname + search : '/'
}
