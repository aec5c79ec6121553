import type { Archive } from '#lib/archive/archive.ts'
import type { DatabaseFiles } from '#lib/archive/database/database-files.ts'
import type { AlertsReport, TriedAnswer } from '#lib/contract/answers/alerts.ts'
import type {
  BackupsReport,
  LookupsImport,
  Nodes,
  PostsImport,
  Status,
} from '#lib/contract/answers/status.ts'
import type { Caller } from '#lib/contract/caller.ts'
import type {
  AnswerOf,
  PartValues,
  QueryValues,
  Question,
} from '#lib/contract/operations/operation.ts'
import type { Rejects } from '#lib/csv/rejects.ts'
import type { KeptNames } from '#lib/sync/names/keep-names.ts'
import type { KeptPrices } from '#lib/sync/prices/keep-prices.ts'
import type { Editions, Sync } from '#lib/sync/sync.ts'
import type { Upstream } from '#lib/upstream/upstream.ts'
import type { SetTimer } from './byte-stream.ts'
import type { EventHub } from './event-hub.ts'
import type { Prepared } from './respond.ts'
import type { Turns } from './turns.ts'

export type LiveFigures = { streams: number; timelineBytes: number }

export type Metrics = {
  contentType: string
  render(status: Status, live: LiveFigures): Promise<string>
}

export type Backups = {
  report(): BackupsReport
  request(): void
}

export type Prices = Omit<KeptPrices, 'emptyImports' | 'settled' | 'close'>

export type Names = Omit<KeptNames, 'emptyImports' | 'settled' | 'close'>

/** Each throws AppError. */
export type Alerts = {
  report(): Promise<AlertsReport>
  add(wanted: unknown): Promise<void>
  remove(name: string): Promise<void>
  tryOut(webhook: string): Promise<TriedAnswer['data']>
  sendAgain(id: string | null): Promise<void>
}

/** `now`: seconds since 1970. */
export type ApiDeps = {
  archive: Archive
  database: DatabaseFiles
  editions: Editions
  sync: Sync
  upstream: Upstream
  nodes?: (() => Nodes) | undefined
  backups: Backups
  prices: Prices
  names: Names
  postsImport: () => { report: PostsImport; rejects: Rejects } | null
  lookups: { report(): LookupsImport }
  alerts: Alerts
  auditFile: string
  now: () => number
  setTimer: SetTimer
  /** `path` has no query. */
  onError: (error: unknown, asked: { path: string; requestId: string | null }) => void
  metrics: Metrics
  events: Record<'inspectors' | 'readers', EventHub>
}

export type SharedDeps = {
  takeTurn: Turns['take']
  takeExportSlot: TakeSlot
  loadPage: LoadPage
}

/** Throws AppError `busy`. */
export type TakeSlot = () => () => void

/** Throws AppError. */
export type LoadPage = (page: number) => Promise<Prepared>

/** Who sent a request, as the server found out: nothing here is read from its headers. */
export type Sender = {
  /** Null: not identified. Everything is refused. */
  caller: Caller | null
  /** Network of the IP address; empty in process. */
  client: string
  /** Where the client reaches this dashboard. */
  origin?: URL | undefined
  requestId?: string | undefined
  /** Token in the address of a feed. */
  link?: string | null | undefined
  signal?: AbortSignal | undefined
}

export const mayInspect = ({ caller }: Pick<Sender, 'caller'>): boolean =>
  caller?.permissions.includes('inspect') ?? false

/** Cached answers must not depend on `caller`, which they do not get. */
export type QuestionInput<Q extends Question> = PartValues<Q> & {
  query: QueryValues<Q>
  signal?: AbortSignal | undefined
  caller?: Caller | null | undefined
}

/** Answers are shared: do not mutate. Throw AppError. */
export type AnswersTo<G extends Readonly<Record<string, Question>>> = {
  readonly [N in keyof G]: (deps: ApiDeps, asked: QuestionInput<G[N]>) => Promise<AnswerOf<G[N]>>
}

/** `parts` are decoded, `params` not parsed. */
type RawRequest = {
  request: Request
  sender: Sender
  parts: Readonly<Record<string, string>>
  params: URLSearchParams
}

/** Also called for HEAD. Throws AppError. */
export type Respond = (deps: ApiDeps & SharedDeps, asked: RawRequest) => Promise<Response>

export type RespondersTo<G> = { readonly [N in keyof G]: Respond }
