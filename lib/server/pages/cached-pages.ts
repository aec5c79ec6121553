import 'server-only'
import type {
  IncomingHttpHeaders,
  IncomingMessage,
  OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http'
import { promisify } from 'node:util'
import { gunzip as gunzipLater, gzip as gzipLater } from 'node:zlib'
import { CLIENT } from '#lib/api/endpoint.ts'
import { isHeld, toContentHash } from '#lib/api/respond.ts'
import { createSingleFlight } from '#lib/async/single-flight.ts'
import { AppError } from '#lib/contract/faults.ts'
import { type Answerer, isDataAddress, sendRefusal } from '#lib/server/gate/refuse.ts'
import { toHashedPolicy, toScriptHash } from '#lib/server/gate/request-policy.ts'
import { createPageCache } from './page-cache.ts'
import { type PageAsker, type RenderedPage, renderPage } from './page-render.ts'

const gzip = promisify(gzipLater)
const gunzip = promisify(gunzipLater)

export type Reader = {
  headers: Record<string, string>
  vary: readonly string[]
}

export type CachedPagesOptions = {
  readReader: (headers: IncomingHttpHeaders, path: string) => Reader
  /** Null: cache nothing. */
  stamp: () => string | null
  cacheHeaders: Record<string, string>
  maxBytes: number
  onError: (error: unknown, path: string) => void
}

type ReadyPage = {
  status: number
  headers: OutgoingHttpHeaders
  /** Of the uncompressed body. */
  hash: string
  body: Buffer
  isGzip: boolean
  isKept: boolean
}

export function createCachedPages(options: CachedPagesOptions): (answer: Answerer) => Answerer {
  const { readReader, stamp, maxBytes, onError } = options
  const cache = createPageCache<ReadyPage>({ maxBytes })
  const singleFlight = createSingleFlight<ReadyPage>()

  const make = async (answer: Answerer, asked: PageRequest, asker: PageAsker) => {
    const { key, begun } = asked
    return await singleFlight.join(`${begun} ${key}`, asker.signal, async (signal) => {
      const rendered = await renderPage(answer, asked, { ...asker, signal })
      const page = await prepare(rendered, asked, options)
      // If the stamp changed during the render, the page may be mixed.
      if (page.isKept && begun !== null && stamp() === begun) {
        cache.set(key, { stamp: begun, value: page, bytes: page.body.byteLength + HEADER_BYTES })
      }
      return page
    })
  }
  return (answer) => (request, response) => {
    if (!isRead(request) && !isDataAddress(request.url ?? '/')) {
      sendRefusal(notTaken(), request, response, { allow: READ.join(', ') })
      return
    }
    const path = toPagePath(request)
    if (path === null) return answer(request, response)
    const { url = '/' } = request
    const { headers: known, vary } = readReader(request.headers, path)
    const headers = withParts(known, request)
    const asked = { path, url, headers, vary, key: toKey(url, headers), begun: stamp() }
    const kept = asked.begun === null ? undefined : cache.get(asked.key, asked.begun)
    if (kept) return send(kept, request, response)
    const left = new AbortController()
    response.once('close', () => left.abort())
    make(answer, asked, { client: String(request.headers[CLIENT] ?? ''), signal: left.signal })
      .then((page) => send(page, request, response))
      .catch((error: unknown) => {
        if (left.signal.aborted) return
        onError(error, path)
        sendBroken(request, response)
      })
  }
}

type PageRequest = Reader & {
  path: string
  url: string
  key: string
  begun: string | null
}

const HEADER_BYTES = 4096

const toKey = (url: string, headers: Reader['headers']) =>
  [url, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\n')

const NO_PAGES = /^\/(?:api|service|mcp|_next|sitemaps)(?:\/|$)/
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

/** The framework would treat other methods as server actions. */
const READ = ['GET', 'HEAD']

const isRead = ({ method = '' }: IncomingMessage) => READ.includes(method)

const notTaken = () =>
  new AppError('method_not_allowed', `This address allows only ${READ.join(' and ')}.`)

function toPagePath(request: IncomingMessage): string | null {
  if (!isRead(request)) return null
  const [path = '/'] = (request.url ?? '/').split('?')
  return NO_PAGES.test(path) || FILES.has(path) ? null : path
}

const PARTS = [
  'rsc',
  'next-router-state-tree',
  'next-router-prefetch',
  'next-router-segment-prefetch',
  'next-url',
]

function withParts(headers: Record<string, string>, { headers: given }: IncomingMessage) {
  if (given.rsc === undefined) return headers
  const asked = PARTS.flatMap((name) => {
    const value = given[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  return { ...headers, ...Object.fromEntries(asked) }
}

const OF_ONE_ANSWER = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date']

const POLICY = 'content-security-policy'
const NONCE = /'nonce-([A-Za-z0-9+/=]+)'/
const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script>/g

const GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/

const GZIP_FROM_BYTES = 1024

async function prepare(
  rendered: RenderedPage,
  { path, vary }: PageRequest,
  { cacheHeaders }: CachedPagesOptions,
): Promise<ReadyPage> {
  const headers = { ...rendered.headers }
  for (const name of OF_ONE_ANSWER) delete headers[name]
  const type = String(headers['content-type'] ?? '')
  const isHtml = type.startsWith('text/html')
  const isPage = isHtml || type.startsWith('text/x-component')
  const isKept = isPage && rendered.status === 200 && rendered.isWhole && !isLive(path)
  const text = isPage ? withHashes(rendered.body, headers) : rendered.body
  if (isKept && isHtml) Object.assign(headers, cacheHeaders)
  const isGzip = text.byteLength >= GZIP_FROM_BYTES
  headers.vary = joinNames([headers.vary, isKept && vary, isGzip && 'Accept-Encoding'])
  return {
    status: rendered.status,
    headers,
    hash: toContentHash(text),
    body: isGzip ? await gzip(text) : text,
    isGzip,
    isKept,
  }
}

function joinNames(lists: readonly unknown[]): string | undefined {
  const names = lists.flat().flatMap((list) => (list ? String(list).split(',') : []))
  const unique = new Map(names.map((name) => [name.trim().toLowerCase(), name.trim()]))
  return unique.size === 0 ? undefined : [...unique.values()].join(', ')
}

const isLive = (path: string) => /^\/status(?:\/|$)/.test(path)

/** Hashes of exactly the scripts with this response's nonce. */
function withHashes(body: Buffer, headers: OutgoingHttpHeaders): Buffer {
  const policy = String(headers[POLICY] ?? '')
  const nonce = NONCE.exec(policy)?.[1]
  if (nonce === undefined) return body
  const attribute = ` nonce="${nonce}"`
  const hashes = new Set<string>()
  const without = (text: string) => text.replaceAll(attribute, '').replaceAll(nonce, '')
  // Latin-1 maps bytes one to one; the search is ASCII.
  const text = body.toString('latin1')
  for (const [, attributes = '', script = ''] of text.matchAll(SCRIPT)) {
    const isInline = !/\ssrc=/.test(attributes)
    if (isInline && attributes.includes(attribute))
      hashes.add(toScriptHash(Buffer.from(without(script), 'latin1')))
  }
  headers[POLICY] = toHashedPolicy(policy, [...hashes])
  const { link } = headers
  if (link !== undefined)
    headers.link = [link].flat().join(', ').replaceAll(`; nonce="${nonce}"`, '')
  return Buffer.from(without(text), 'latin1')
}

function send(page: ReadyPage, request: IncomingMessage, response: ServerResponse): void {
  if (response.destroyed || response.headersSent) return
  const { 'accept-encoding': encodings, 'if-none-match': held } = request.headers
  const isGzip = page.isGzip && GZIP.test(String(encodings ?? ''))
  const etag = `"${page.hash}${isGzip ? '-gzip' : ''}"`
  for (const [name, value] of Object.entries(page.headers)) {
    if (value !== undefined) response.setHeader(name, value)
  }
  if (page.status === 200) response.setHeader('etag', etag)
  if (page.status === 200 && isHeld(held ?? null, etag)) {
    response.writeHead(304).end()
    return
  }
  response.statusCode = page.status
  if (isGzip) response.setHeader('content-encoding', 'gzip')
  if (isGzip || !page.isGzip) {
    sendBody(page.body, request, response)
    return
  }
  gunzip(page.body).then(
    (body) => sendBody(body, request, response),
    () => response.destroy(),
  )
}

function sendBody(body: Buffer, { method }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('content-length', body.byteLength)
  response.end(method === 'HEAD' ? undefined : body)
}

function sendBroken(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) response.destroy()
  else sendRefusal(broken(), request, response)
}

const broken = () => new AppError('internal', 'The page could not be rendered. Try again.')
