import 'server-only'
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { withBase } from '#lib/contract/base-path.ts'
import { processEnv } from '#lib/server/environment/env.ts'

const EMBEDS = '/embed/'

export const isEmbedPath = (path: string): boolean => path.startsWith(EMBEDS)

/** Set by us; incoming values are removed. */
export const EMBED_THEME = 'x-embed-theme'

type PolicyOptions = {
  nonce: string
  path: string
  isDev: boolean
}

/** {@link toHashedPolicy} replaces it in production. */
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

export const toScriptHash = (script: string | Buffer): string =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`

/** For cached pages, which cannot use nonces: allows inline scripts by hash. */
export const toHashedPolicy = (policy: string, hashes: readonly string[]): string =>
  policy
    .replace(/'nonce-[^']+' 'strict-dynamic'/, hashes.join(' '))
    .replaceAll(/ 'nonce-[^']+'/g, '')

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

const PORT = /:\d+$/

export function isAllowedHost(allowed: readonly string[] | null, host: string | null): boolean {
  if (allowed === null) return true
  return host !== null && allowed.includes(host.toLowerCase().replace(PORT, ''))
}

/** Set by us; incoming values are removed. */
export const PAGE_PATH = 'x-page-path'

export const isHttps = (forwardedProto: string | null): boolean =>
  forwardedProto?.split(',')[0] === 'https'

type Transport = { hstsSeconds: number; publicUrl: URL | null }

/** Null unless the request came by https. */
export function toStrictTransport(
  { hstsSeconds, publicUrl }: Transport,
  forwardedProto: string | null,
): string | null {
  const cameByHttps = publicUrl?.protocol === 'https:' || isHttps(forwardedProto)
  return hstsSeconds > 0 && cameByHttps ? `max-age=${hstsSeconds}` : null
}

export const readForwardedProto = ({ 'x-forwarded-proto': proto }: IncomingHttpHeaders) =>
  [proto].flat()[0] ?? null

const HOST = /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

export function toPublicOrigin(publicUrl: URL | null, headers: Pick<Headers, 'get'>): URL {
  if (publicUrl) return publicUrl
  const scheme = isHttps(headers.get('x-forwarded-proto')) ? 'https' : 'http'
  const host = headers.get('host') ?? ''
  const origin = `${scheme}://${host}`
  return new URL(HOST.test(host) && URL.canParse(origin) ? origin : 'http://localhost')
}

export function readPublicAddress(headers: Pick<Headers, 'get'>) {
  const parsed = processEnv()
  const { publicUrl, isIndexed } = parsed.ok ? parsed.env : { publicUrl: null, isIndexed: false }
  const path = withBase(headers.get(PAGE_PATH) ?? '/')
  return { origin: toPublicOrigin(publicUrl, headers), path, isIndexed }
}

/** Prevents open redirects. */
export function toLocalAddress(text: string | null): string {
  if (!text?.startsWith('/') || !URL.canParse(text, 'http://here')) return '/'
  const { host, pathname, search } = new URL(text, 'http://here')
  const isOurs = host === 'here' && !pathname.startsWith('//')
  return isOurs && !/^\/(?:api|sign-in)(?:\/|$)/.test(pathname) ? pathname + search : '/'
}
