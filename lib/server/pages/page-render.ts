import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'
import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { ApiClient } from '#lib/api/create-api.ts'
import { singleton } from '#lib/server/environment/singleton.ts'
import type { Answerer } from '#lib/server/gate/refuse.ts'

export type RenderedPage = {
  status: number
  headers: OutgoingHttpHeaders
  body: Buffer
  /** False: do not cache. */
  isWhole: boolean
}

export type PageAsker = Required<Pick<ApiClient, 'client' | 'signal'>>

type Rendering = { isWhole: boolean; asker: PageAsker }

/** Shared by `once`, because pages are in a different bundle. */
const rendering = () => singleton('page rendering', () => new AsyncLocalStorage<Rendering>())

export function noteUnanswered(): void {
  const page = rendering().getStore()
  if (page) page.isWhole = false
}

/** Undefined outside a render. */
export const readPageAsker = (): PageAsker | undefined => rendering().getStore()?.asker

/**
 * Independent of any connection: one client may leave while others wait. Rejects with the signal's
 * reason or `PageBrokenOff`.
 */
export async function renderPage(
  answer: Answerer,
  { url, headers }: { url: string; headers: Record<string, string> },
  asker: PageAsker,
): Promise<RenderedPage> {
  const socket = new Socket()
  const request = new IncomingMessage(socket)
  Object.assign(request, { method: 'GET', url, httpVersion: '1.1' })
  request.httpVersionMajor = 1
  request.httpVersionMinor = 1
  request.headers = headers
  request.rawHeaders = Object.entries(headers).flat()
  request.push(null)
  const { signal } = asker
  const page: Rendering = { isWhole: true, asker }
  const response = new DetachedResponse(request)
  try {
    return await new Promise<RenderedPage>((resolve, reject) => {
      const leave = () => {
        response.destroy()
        reject(signal.reason)
      }
      if (signal.aborted) return leave()
      signal.addEventListener('abort', leave, { once: true })
      response.once('close', () => {
        signal.removeEventListener('abort', leave)
        if (!response.writableFinished) return reject(new PageBrokenOff())
        const { statusCode: status, body } = response
        resolve({ status, headers: response.getHeaders(), body, isWhole: page.isWhole })
      })
      rendering().run(page, () => answer(request, response))
    })
  } finally {
    socket.destroy()
  }
}

class PageBrokenOff extends Error {
  override name = 'PageBrokenOff'
}

class DetachedResponse extends ServerResponse {
  #chunks: Buffer[] = []

  constructor(request: IncomingMessage) {
    super(request)
    // Without this, `getHeaders` lacks headers given to `writeHead` only.
    this.setHeader('date', '')
    this.removeHeader('date')
  }

  get body(): Buffer {
    return Buffer.concat(this.#chunks)
  }

  override flushHeaders(): void {
    if (!this.headersSent) this.writeHead(this.statusCode)
  }

  override write(chunk: unknown, ...rest: unknown[]): boolean {
    this.flushHeaders()
    this.#take(chunk, rest[0])
    const done = rest.find((part) => typeof part === 'function')
    if (done) process.nextTick(done)
    return true
  }

  override end(...given: unknown[]): this {
    if (this.finished || this.destroyed) return this
    this.flushHeaders()
    const [chunk, encoding] = given
    if (typeof chunk !== 'function') this.#take(chunk, encoding)
    this.finished = true
    const done = given.find((part) => typeof part === 'function')
    process.nextTick(() => {
      this.emit('finish')
      if (typeof done === 'function') done()
      this.emit('close')
    })
    return this
  }

  override destroy(error?: Error): this {
    if (this.destroyed) return this
    this.destroyed = true
    process.nextTick(() => {
      if (error && this.listenerCount('error') > 0) this.emit('error', error)
      if (!this.finished) this.emit('close')
    })
    return this
  }

  #take(chunk: unknown, encoding: unknown): void {
    if (typeof chunk === 'string') {
      const known = typeof encoding === 'string' && Buffer.isEncoding(encoding) ? encoding : 'utf8'
      this.#chunks.push(Buffer.from(chunk, known))
    } else if (chunk instanceof Uint8Array) this.#chunks.push(Buffer.from(chunk))
  }
}
