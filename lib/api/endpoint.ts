import type { Archive } from '#lib/archive/archive.ts'
import type { AlertsReport, TriedAnswer } from '#lib/contract/answers/alerts.ts'
import type { Answers, Asked, Kind } from '#lib/contract/answers/questions.ts'
import type {
  BackupsReport,
  LookupsImport,
  NamesReport,
  Nodes,
  PostsImport,
  PricesReport,
  Status,
} from '#lib/contract/answers/status.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { Rejects } from '#lib/csv/rejects.ts'
import type { Editions, Sync } from '#lib/sync/sync.ts'
import type { Upstream } from '#lib/upstream/upstream.ts'
import type { SetTimer } from './byte-stream.ts'
import type { EventHub } from './event-hub.ts'
import type { Prepared } from './respond.ts'
import type { Turns } from './turns.ts'

/** What is counted, as text. `streams` are the readers of `/api/events`. */
export type Metrics = {
  contentType: string
  render(status: Status, streams: number): Promise<string>
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
  takeQuarantineSlot: TakeSlot
  loadPage: LoadPage
}

/** Takes one of the places for exports and gives what frees it again. Throws AppError('busy') where all are taken. */
export type TakeSlot = () => () => void

/** A page of the service. Throws AppError. */
export type LoadPage = (page: number) => Promise<Prepared>

/**
 * Something that screens ask for, made by a function of what is asked. `isKept`: it changes only with the archive and
 * slowly with time, so that one answer does for all who ask within a minute.
 */
export type Endpoint<K extends Kind = Kind> = {
  kind: K
  isKept: boolean
  answer: Answer<K>
}

/**
 * What is asked, for as long as somebody waits for the answer: then the signal fires. `may` is what whoever asks may do, as
 * words; an answer that is kept is the same for all who may ask.
 */
export type Wanted = Asked & { signal?: AbortSignal; may?: string | undefined }

/** The request header that says what whoever asks may do; nobody outside can set it. */
export const MAY = 'x-may'

/** The request header with the encoded name of the account that asks, where people sign in; nobody outside can set it. */
export const ACCOUNT = 'x-account'

/** Whether he is shown what the sync did and will do. */
export const mayInspect = (may: string | null | undefined): boolean =>
  (may ?? '').split(' ').includes('inspect')

type Answer<K extends Kind> = (deps: ApiDeps, asked: Wanted) => Promise<Answers[K]>

/** An answer that is kept while the archive stays as it is, for a minute at most. Nobody may change what it returns. */
export const kept = <K extends Kind>(kind: K, answer: Answer<K>): Endpoint<K> => ({
  kind,
  isKept: true,
  answer,
})

/** An answer that is true only now, made for each who asks. */
export const madeNow = <K extends Kind>(kind: K, answer: Answer<K>): Endpoint<K> => ({
  kind,
  isKept: false,
  answer,
})

type RawAsked = { request: Request; params: URLSearchParams }

/** An address that writes its response itself. `method` null takes any. HEAD is asked of what takes GET. */
export type RawEndpoint = {
  method: 'GET' | 'POST' | 'DELETE' | null
  respond: (deps: ApiDeps & Shared, asked: RawAsked) => Promise<Response>
}

/** Every address that is none. */
export const respondNothing: RawEndpoint = {
  method: null,
  respond: async () => {
    throw new AppError('not_found', 'There is no such address in this API.')
  },
}
