import 'server-only'
import type {
  IncomingHttpHeaders,
  IncomingMessage,
  OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http'
import { promisify } from 'node:util'
import { gunzip as gunzipCallback, gzip as gzipCallback } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { matchesEtag, toContentHash } from '#lib/api/respond.ts'
import type { Answer, Next } from '#lib/server/gate/front.ts'
import { isDataAddress } from '#lib/server/gate/refusal.ts'
import { pathOf, type RequestContext } from '#lib/server/gate/request-context.ts'
import { isEmbedPath, listScriptHashes, toPagePolicy } from '#lib/server/gate/request-policy.ts'

const gzip = promisify(gzipCallback)
const gunzip = promisify(gunzipCallback)

export type PageCacheOptions = {
  /** A `Cookie` header with the settings that the page at `path` depends on. Null: none. */
  selectSettings: (path: string, cookies: string) => { cookie: string } | null
  /** Changes with the data. Null: cache nothing. */
  version: () => string | null
  cacheHeaders: Record<string, string>
  maxBytes: number
  isIndexed: boolean
  isDev: boolean
}

type Page = {
  status: number
  headers: [name: string, value: string | number | readonly string[]][]
  /** Of the uncompressed body. */
  hash: string
  body: Buffer
  isGzip: boolean
  isCached: boolean
}

/**
 * Pages are shared between readers: they depend on address, permissions and settings, and get no
 * other header. Requests for the page that is being rendered wait for its bytes, and render
 * themselves if it breaks off.
 */
export function createPageCache(options: PageCacheOptions): Answer {
  const { version, maxBytes } = options
  const cache = new LRUCache<string, Page>({
    maxSize: maxBytes,
    sizeCalculation: ({ body }, key) => body.byteLength + HEADER_BYTES + 2 * key.length,
  })
  const rendering = new Map<string, Promise<Page | null>>()

  return async (request, response, { context, next }) => {
    const path = pathOf(context)
    if (!isPage(path)) return await next(request, response)
    const asked = { method: request.method ?? 'GET', headers: request.headers }
    const settings = options.selectSettings(path, request.headers.cookie ?? '')
    const headers = toPageHeaders(request.headers, settings?.cookie)
    const { url, caller, isHttps } = context
    const reader = `${caller.permissions}\n${isHttps}\n${toLines(headers)}`
    for (;;) {
      const rendered = version()
      const key = `${rendered}\n${url}\n${reader}`
      const known = cache.get(key) ?? (await rendering.get(key))
      if (response.destroyed) return
      if (known) return await sendPage(known, asked, response)
      if (rendering.has(key)) continue
      const render = async (): Promise<Page | null> => {
        Object.assign(request, { method: 'GET', headers })
        const captured = await capture(request, response, next)
        if (!captured) return null
        const facts = { context, varies: settings !== null, options }
        const page = await toPage(captured, facts).finally(captured.restore)
        if (page.isCached && rendered !== null && version() === rendered) cache.set(key, page)
        return page
      }
      const coming = render()
      rendering.set(
        key,
        coming.catch(() => null),
      )
      try {
        const page = await coming
        if (page && !response.destroyed) await sendPage(page, asked, response)
      } finally {
        rendering.delete(key)
      }
      return
    }
  }
}

const HEADER_BYTES = 4096

const NO_PAGES = /^\/(?:_next|__nextjs|sitemaps)(?:[/_]|$)/
const FILES = new Set([
  '/favicon.ico',
  '/icon.svg',
  '/icon-maskable.svg',
  '/apple-touch-icon.png',
  '/link-preview.png',
  '/manifest.webmanifest',
  '/robots.txt',
  '/sitemap.xml',
])

const isPage = (path: string) => !isDataAddress(path) && !NO_PAGES.test(path) && !FILES.has(path)

/** Ask the framework for a part of a page. */
const PART_HEADERS = [
  'rsc',
  'next-router-state-tree',
  'next-router-prefetch',
  'next-router-segment-prefetch',
  'next-url',
]

function toPageHeaders(sent: IncomingHttpHeaders, cookie = ''): IncomingHttpHeaders {
  const headers: IncomingHttpHeaders = { host: sent.host ?? '' }
  if (cookie !== '') headers.cookie = cookie
  if (sent.rsc === undefined) return headers
  for (const name of PART_HEADERS) if (sent[name] !== undefined) headers[name] = sent[name]
  return headers
}

const toLines = (headers: IncomingHttpHeaders) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

type Captured = {
  status: number
  headers: OutgoingHttpHeaders
  body: Buffer
  /** Until then the framework cannot send anything. */
  restore: () => void
}

/** Collects what the framework writes. Null if the connection closes first. Rejects if it fails. */
function capture(
  request: IncomingMessage,
  response: ServerResponse,
  next: Next,
): Promise<Captured | null> {
  const own = response.getHeaderNames()
  const { write, end, writeHead, flushHeaders, destroy } = response
  const restore = () => Object.assign(response, { write, end, writeHead, flushHeaders, destroy })
  const chunks: Buffer[] = []
  const keep = (chunk: unknown, encoding: unknown) => {
    const known = typeof encoding === 'string' && Buffer.isEncoding(encoding) ? encoding : 'utf8'
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, known))
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
  }
  return new Promise<Captured | null>((resolve, reject) => {
    const fail = (error: unknown) => {
      restore()
      reject(error)
    }
    const leave = () => resolve(null)
    response.once('close', leave)
    const replaced = {
      flushHeaders: () => undefined,
      destroy(error?: Error) {
        fail(error ?? new Error('The page broke off.'))
        return response
      },
      writeHead(status: number, ...rest: unknown[]) {
        response.statusCode = status
        const headers = rest.find((part) => typeof part === 'object' && part !== null) ?? {}
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
        return response
      },
      write(chunk: unknown, ...rest: unknown[]) {
        keep(chunk, rest[0])
        const done = rest.find((part) => typeof part === 'function')
        if (done) process.nextTick(done)
        return true
      },
      end(...given: unknown[]) {
        keep(...(given as [unknown, unknown]))
        response.off('close', leave)
        const headers = response.getHeaders()
        for (const name of own) delete headers[name]
        for (const name of Object.keys(headers)) response.removeHeader(name)
        const { statusCode: status } = response
        resolve({ status, headers, body: Buffer.concat(chunks), restore })
        return response
      },
    }
    Object.assign(response, replaced)
    Promise.resolve(next(request, response)).catch(fail)
  })
}

const GZIP_FROM_BYTES = 1024
/** Change without the data. */
const LIVE = /^\/status(?:\/|$)/

type Rendering = { context: RequestContext; varies: boolean; options: PageCacheOptions }

async function toPage(
  { status, headers, body }: Captured,
  { context, varies, options }: Rendering,
): Promise<Page> {
  const path = pathOf(context)
  const type = String(headers['content-type'] ?? '')
  const isHtml = type.startsWith('text/html')
  const isRendered = isHtml || type.startsWith('text/x-component')
  const isCached = isRendered && status === 200 && context.isComplete && !LIVE.test(path)
  const isGzip = body.byteLength >= GZIP_FROM_BYTES
  const scriptHashes = isHtml ? listScriptHashes(body.toString()) : []
  const isShared = context.caller.via.kind === 'open' && !varies
  const vary = [headers.vary, isCached && !isShared && 'Cookie', isGzip && 'Accept-Encoding']
  for (const name of OF_ONE_RESPONSE) delete headers[name]
  const sent: OutgoingHttpHeaders = {
    'content-security-policy': toPagePolicy({ path, isDev: options.isDev, scriptHashes }),
    ...((!options.isIndexed || isEmbedPath(path)) && { 'x-robots-tag': 'noindex' }),
    ...headers,
    ...(isCached && isHtml && options.cacheHeaders),
    vary: joinNames(vary),
  }
  return {
    status,
    headers: Object.entries(sent).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
    hash: toContentHash(body),
    body: isGzip ? await gzip(body) : body,
    isGzip,
    isCached,
  }
}

const OF_ONE_RESPONSE = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date']

function joinNames(lists: readonly unknown[]): string | undefined {
  const names = lists.flat().flatMap((list) => (list ? String(list).split(',') : []))
  const unique = new Map(names.map((name) => [name.trim().toLowerCase(), name.trim()]))
  return unique.size === 0 ? undefined : [...unique.values()].join(', ')
}

const ACCEPTS_GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/

async function sendPage(
  page: Page,
  { method, headers }: { method: string; headers: IncomingHttpHeaders },
  response: ServerResponse,
): Promise<void> {
  const isGzip = page.isGzip && ACCEPTS_GZIP.test(String(headers['accept-encoding'] ?? ''))
  const etag = `"${page.hash}${isGzip ? '-gzip' : ''}"`
  for (const [name, value] of page.headers) response.setHeader(name, value)
  if (page.status === 200) {
    response.setHeader('etag', etag)
    if (matchesEtag(headers['if-none-match'] ?? null, etag)) {
      response.writeHead(304).end()
      return
    }
  }
  const body = page.isGzip && !isGzip ? await gunzip(page.body) : page.body
  if (response.destroyed) return
  response.statusCode = page.status
  if (isGzip) response.setHeader('content-encoding', 'gzip')
  response.setHeader('content-length', body.byteLength)
  response.end(method === 'HEAD' ? undefined : body)
}
