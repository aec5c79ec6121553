import type { Archive } from '#lib/archive/archive.ts'
import type { AlertsReport, TriedAnswer } from '#lib/contract/answers/alerts.ts'
import type {
  BackupsReport,
  LookupsImport,
  NamesReport,
  Nodes,
  PostsImport,
  PricesReport,
  Status,
} from '#lib/contract/answers/status.ts'
import type {
  AnswerOf,
  PartValues,
  QueryValues,
  Question,
} from '#lib/contract/operations/operation.ts'
import type { Rejects } from '#lib/csv/rejects.ts'
import { toClientNetwork } from '#lib/http/ip-address.ts'
import type { Editions, Sync } from '#lib/sync/sync.ts'
import type { Upstream } from '#lib/upstream/upstream.ts'
import type { SetTimer } from './byte-stream.ts'
import type { EventHub } from './event-hub.ts'
import type { Prepared } from './respond.ts'
import type { Turns } from './turns.ts'

/** Readers of `/api/events`, and bytes of the timelines in memory. */
export type LiveFigures = { streams: number; timelineBytes: number }

/** Metrics of the process, as text. */
export type Metrics = {
  contentType: string
  render(status: Status, live: LiveFigures): Promise<string>
}

/** The backups of the data folder. */
export type Backups = {
  report(): BackupsReport
  /** Begins one, unless one is being made; the report says what becomes of it. */
  request(): void
}

/** The price files. `drop` keeps one that an operator puts here, and `remove` takes it away; both throw AppError. */
export type Prices = {
  report(): PricesReport
  rejects(): Rejects
  drop(file: {
    name: string
    bytes: number
    body: AsyncIterable<Uint8Array>
    signal: AbortSignal
    /** The client that sends it, as the guard named it. */
    client: string
  }): Promise<void>
  remove(name: string): Promise<void>
}

/** What symbols are called. `version` is another number for other names; `find` gives the keys of those that a text names. */
export type Names = {
  version(): number
  of(symbol: string): string | null
  find(text: string): string[]
  report(): NamesReport
  rejects(): Rejects
}

/** What tells people of new ratings. Each throws AppError that says what was wrong. */
export type Alerts = {
  report(): Promise<AlertsReport>
  add(wanted: unknown): Promise<void>
  remove(name: string): Promise<void>
  tryOut(webhook: string): Promise<TriedAnswer['data']>
  sendAgain(id: string | null): Promise<void>
}

/** What the API answers from. `now` is in seconds since 1970. */
export type ApiDeps = {
  archive: Archive
  editions: Editions
  sync: Sync
  upstream: Upstream
  /** The nodes that share a database; absent where one process is all there is. */
  nodes?: (() => Nodes) | undefined
  backups: Backups
  /** What was read of the price files. */
  prices: Prices
  names: Names
  /** How the file of the embedded service's ratings was read; null if they come from no file. */
  postsImport: () => { report: PostsImport; rejects: Rejects } | null
  /** What was read of the look-ups' editions. */
  lookups: { report(): LookupsImport }
  alerts: Alerts
  /** The audit log, which may not exist. */
  auditFile: string
  now: () => number
  setTimer: SetTimer
  /** Told of every error that leaves as a 500: the path without its query, and the name of the request. */
  onError: (error: unknown, asked: { path: string; requestId: string | null }) => void
  metrics: Metrics
  /** Under which origin whoever sent these headers knows the dashboard: for addresses that are read elsewhere. */
  toOrigin: (headers: Pick<Headers, 'get'>) => URL
  /** Who listens to `/api/events`: those who may inspect, and all others. Whoever makes them closes them before the process ends. */
  events: Record<'inspectors' | 'readers', EventHub>
}

/** What the answers to all requests share. */
export type Shared = {
  takeTurn: Turns['take']
  takeExportSlot: TakeSlot
  loadPage: LoadPage
}

/** Takes one of the places for exports and gives what frees it again. Throws AppError('busy') where all are taken. */
export type TakeSlot = () => () => void

/** A page of the service. Throws AppError. */
export type LoadPage = (page: number) => Promise<Prepared>

/** The request header that says what the client may do; nobody outside can set it. */
export const MAY = 'x-may'

/** The request header with the encoded name of the account, where people sign in; nobody outside can set it. */
export const ACCOUNT = 'x-account'

/** Whether the client may see what the sync did and will do. */
export const mayInspect = (may: string | null | undefined): boolean =>
  (may ?? '').split(' ').includes('inspect')

/**
 * What a question asks, parsed: the parts of its address and `query`. `signal` fires when nobody waits for the answer. `may` is what
 * the client may do, as words; a cached answer is the same for every client.
 */
export type AskedOf<Q extends Question> = PartValues<Q> & {
  query: QueryValues<Q>
  signal?: AbortSignal | undefined
  may?: string | undefined
}

/** Answers each question of a group. Nobody may change what they return. Throw AppError. */
export type AnswersTo<G extends Readonly<Record<string, Question>>> = {
  readonly [N in keyof G]: (deps: ApiDeps, asked: AskedOf<G[N]>) => Promise<AnswerOf<G[N]>>
}

/** A request for an operation. `parts` are decoded, `params` are not parsed yet. */
export type RawAsked = {
  request: Request
  parts: Readonly<Record<string, string>>
  params: URLSearchParams
}

/** Answers an operation with a response of its own. HEAD arrives where GET is taken. Throws AppError. */
export type Respond = (deps: ApiDeps & Shared, asked: RawAsked) => Promise<Response>

/** One for each operation of a group. */
export type RespondersTo<G> = { readonly [N in keyof G]: Respond }

/** The request header with the client's address; nobody outside can set it. */
export const CLIENT = 'x-client'

/** The network of the client, which shares are counted by. */
export const readClient = (headers: Headers): string => toClientNetwork(headers.get(CLIENT) ?? '')
