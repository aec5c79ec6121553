import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Sender } from '#lib/api/endpoint.ts'
import type { Caller } from '#lib/contract/caller.ts'
import { AppError } from '#lib/contract/faults.ts'
import { toClientNetwork } from '#lib/http/ip-address.ts'
import { singleton } from '#lib/server/environment/singleton.ts'

/** What the front of the server knows about the request that is being answered. */
export type RequestContext = {
  id: string
  /** IP address. */
  client: string
  caller: Caller
  /** Token in the address of a feed. */
  link: string | null
  /** Without base path: `/symbols/AAPL?range=all`. */
  url: string
  /** As the client sent it. */
  host: string
  isHttps: boolean
  /** Where the client reaches this dashboard. */
  readonly origin: URL
  /** Aborts when the connection closes before the end of the response. */
  readonly signal: AbortSignal
  /** False for a page that lacks data because of a failure: it is not cached. */
  isComplete: boolean
}

/** The framework loads modules several times per process. */
const storage = () => singleton('request context', () => new AsyncLocalStorage<RequestContext>())

export const runInContext = <T>(context: RequestContext, run: () => T): T =>
  storage().run(context, run)

/** Null for a request that did not pass the front, and outside requests. */
export const selectContext = (): RequestContext | null => storage().getStore() ?? null

/** Throws AppError `forbidden`. */
export function requireContext(): RequestContext {
  const context = selectContext()
  if (!context) throw new AppError('forbidden', 'Nobody has identified the caller.')
  return context
}

/** Refused by everything unless the request passed the front. */
export function toSender(context: RequestContext | null): Sender {
  if (!context) return { caller: null, client: '' }
  const { id, client, caller, link, origin, signal } = context
  return { caller, client: toClientNetwork(client), requestId: id, link, origin, signal }
}

/** Of the page that is being rendered, without base path and query. */
export const readPagePath = (): string => pathOf(selectContext() ?? { url: '/' })

export const pathOf = ({ url }: Pick<RequestContext, 'url'>): string => url.split('?')[0] ?? '/'
