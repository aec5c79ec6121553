import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import { AppError } from '#lib/contract/faults.ts'
import { toDateText } from '#lib/contract/instant-text.ts'
import { type ParsedRow, parseRating, type Rating } from '#lib/contract/rating.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import type { SyncArchive } from '#lib/sync/sync-archive.ts'
import { nextMonthAt, selectMonthBar, selectReserved } from '#lib/upstream/ledger.ts'
import type { Budget, Purpose, Upstream } from '#lib/upstream/upstream.ts'
import { streamRatings } from '#testing/archive/stream-ratings.ts'

/** Wednesday 2026-11-18 12:00 UTC: the current edition is of Sunday the 15th. */
export const WEDNESDAY = 1_795_003_200
export const SUNDAY = '2026-11-15'
export const HOUR = 3600
export const DAY = 86_400

export async function makeFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'bellwether-sync-'))
  // A background comparison may still write.
  onTestFinished(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }))
  return dir
}

export async function openTestArchive(now: () => number, path = ':memory:') {
  const archive = await openArchive({ path, now, threads: 1 })
  let isOpen = true
  const close = async () => {
    if (isOpen) await archive.close()
    isOpen = false
  }
  onTestFinished(close)
  return { archive, close }
}

/** Holds only ids and times, for speed. */
export function createBareArchive(): SyncArchive {
  const held = new Map<number, number>()
  let completeTo: number | null = null
  return {
    state: () => ({
      ratings: held.size,
      generation: held.size,
      version: String(held.size),
      completeTo,
      quarantined: 0,
      vanished: 0,
      gaps: { ids: 0, unexplained: 0, listed: [] },
      newestCreatedAt: null,
      quietAfterSeconds: 90 * 86_400,
    }),
    selectPostingRate: async () => null,
    countRatings: async ({ from, to }) => {
      const isAsked = (createdAt: number) =>
        createdAt >= (from ?? createdAt) && (to === null || createdAt < to)
      return [...held.values()].filter(isAsked).length
    },
    selectKnownIds: async (ids) => new Set(ids.filter((id) => held.has(id))),
    selectQuarantine: async () => [],
    async import(_source, fill) {
      const staged: [id: number, createdAt: number][] = []
      const result = await fill({
        append: async (rows) => {
          for (const { rating } of rows) staged.push([rating.id, rating.created_at])
        },
        appendCsv: async () => false,
        countVanished: async () => ({ vanished: 0, expected: 0 }),
      })
      const before = held.size
      for (const [id, createdAt] of staged) held.set(id, createdAt)
      completeTo = result.completeTo ?? completeTo
      const inserted = held.size - before
      const rest = { updated: 0, unchanged: 0, quarantined: 0, vanished: 0, returned: 0 }
      return { inserted, ...rest, generation: held.size }
    },
  }
}

/** Default: `id` minutes after the start of 2026. */
export function toRating(id: number, change: Partial<Rating> = {}): Rating {
  const created_at = change.created_at ?? 1_767_225_600 + id * 60
  return {
    id,
    user_id: (id % 7) + 1,
    symbol: ['AAPL', 'MSFT', 'NVDA'][id % 3] ?? '',
    rating: (id % 5) + 1,
    rating_label: 'Hold',
    action: 1,
    action_label: 'Initiated',
    prediction: '12.50',
    tally_agree: 0,
    tally_disagree: 0,
    tally_comment: 0,
    created_at,
    created_at_date: toDateText(created_at),
    expired_at: created_at + 90 * DAY,
    expired_at_date: toDateText(created_at + 90 * DAY),
    ...change,
  }
}

export const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

export const toCsv = (ratings: readonly Rating[], newline = '\n'): string =>
  [
    RATING_FIELDS.join(','),
    ...ratings.map((row) => RATING_FIELDS.map((name) => row[name]).join(',')),
  ]
    .map((line) => `${line}${newline}`)
    .join('')

export const LOOKUPS = 'id,symbol,room\n1,AAPL,general\n2,MSFT,\n'

type Scripted = {
  ratings: Rating[]
  broken: unknown[]
  pageSize: number
  order: 'newest' | 'oldest' | 'shuffled'
  dumps: Record<DumpKind, () => string | Uint8Array>
  saysLength: boolean
  /** In bytes. */
  chunk: number
  /** `what` is `posts`, `lookups` or a page number. */
  before: (what: string) => void | Promise<void>
  toPage: (page: number) => number
}

export type ScriptedService = Upstream & Scripted & { requests: string[]; limits: Budget }

const parsed = new WeakMap<object, ParsedRow>()

function parseOnce(value: unknown): ParsedRow {
  if (typeof value !== 'object' || value === null) return parseRating(value)
  const known = parsed.get(value) ?? parseRating(value)
  parsed.set(value, known)
  return known
}

export function createScriptedService(change: Partial<Scripted> = {}): ScriptedService {
  const requests: string[] = []
  const limits: Budget = {
    minute: { limit: 60, used: 0 },
    month: { limit: null, used: 0 },
    spent: { dump: 0, follow: 0, people: 0 },
    reserved: 0,
    pausedUntil: null,
    clockSkewSeconds: null,
  }
  const ask = async (what: string, signal?: AbortSignal) => {
    if (signal?.aborted) throw signal.reason
    await service.before(what)
    requests.push(what)
    limits.month.used += 1
  }
  const service: ScriptedService = {
    requests,
    limits,
    ratings: [],
    broken: [],
    pageSize: 10,
    order: 'newest',
    dumps: { posts: () => toCsv(service.ratings), lookups: () => LOOKUPS },
    saysLength: false,
    chunk: 1000,
    before: () => undefined,
    toPage: (page) => page,
    async fetchPage(page, { signal } = {}) {
      await ask(String(page), signal)
      const sorted = [...service.ratings].sort((a, b) => toSign(service.order) * (a.id - b.id))
      if (service.order === 'shuffled') sorted.sort((a, b) => toHash(a.id) - toHash(b.id))
      const start = (service.toPage(page) - 1) * service.pageSize
      const data = [...service.broken, ...sorted].slice(start, start + service.pageSize)
      return {
        page,
        data,
        rows: data.map(parseOnce),
        isNotFound: false,
        validators: { etag: null, lastModified: null },
      }
    },
    fetchPageIfChanged: async (page, _held, options) => await service.fetchPage(page, options),
    async fetchDump(kind, { signal } = {}) {
      await ask(kind, signal)
      const text = service.dumps[kind]()
      const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
      const totalBytes = service.saysLength ? bytes.length : null
      const validators = { etag: null, lastModified: null }
      return {
        body: toChunks(bytes, service.chunk),
        from: 0,
        totalBytes,
        hasKnownEnd: totalBytes !== null,
        validators,
      }
    },
    fetchDumpIfChanged: async (kind, _held, options) => await service.fetchDump(kind, options),
    budget: () => structuredClone(limits),
    allowProbe: () => false,
    service: { kind: 'embedded', address: 'scripted', invented: false },
    ...change,
  }
  return service
}

const toSign = (order: Scripted['order']) => (order === 'oldest' ? 1 : -1)
const toHash = (id: number) => (id * 7919) % 1009

async function* toChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

export const down = () => new AppError('upstream_unavailable', 'The service does not answer.')

export async function loadIds(archive: Archive, at: number): Promise<number[]> {
  const ids: number[] = []
  for await (const rows of streamRatings(archive, EVERY_RATING, { at })) {
    ids.push(...rows.map(({ id }) => id))
  }
  return ids.sort((a, b) => a - b)
}

export type LoggedRequest = { at: number; what: string; purpose: Purpose; ok: boolean }

export type LimitedService = Upstream & {
  sent: LoggedRequest[]
  barred: LoggedRequest[]
  isDown: (at: number, what: string) => boolean
}

const ATTEMPTS = 3

export function limitService(
  service: ScriptedService,
  { limit, now }: { limit: number | null; now: () => number },
): LimitedService {
  const sent: LoggedRequest[] = []
  const barred: LoggedRequest[] = []
  const months = new Map<number, Record<Purpose, number>>()
  const ofMonth = () => months.get(nextMonthAt(now())) ?? { dump: 0, follow: 0, people: 0 }
  const toUsed = ({ dump, follow, people }: Record<Purpose, number>) => dump + follow + people

  const charge = (what: string, purpose: Purpose, ok: boolean) => {
    const one = { at: now(), what, purpose, ok }
    if (limit !== null) {
      const { people, dump: dumps } = ofMonth()
      const month = { limit, used: toUsed(ofMonth()), people, dumps, at: now() }
      const bar = selectMonthBar(purpose, month)
      if (bar) {
        barred.push(one)
        throw new AppError('budget_spent', bar.why, { retryAfterSeconds: bar.seconds })
      }
    }
    sent.push(one)
    months.set(nextMonthAt(now()), { ...ofMonth(), [purpose]: ofMonth()[purpose] + 1 })
  }
  const call = (what: string, purpose: Purpose) => {
    const isDown = limited.isDown(now(), what)
    for (let attempt = 1; attempt <= (isDown ? ATTEMPTS : 1); attempt += 1) {
      charge(what, purpose, !isDown)
    }
    if (isDown) throw down()
  }
  const limited: LimitedService = {
    ...service,
    sent,
    barred,
    isDown: () => false,
    service: { kind: 'remote', address: 'limited', invented: false },
    budget: (): Budget => ({
      minute: { limit: 60, used: 0 },
      month: { limit, used: toUsed(ofMonth()) },
      spent: ofMonth(),
      reserved: selectReserved(limit, now()),
      pausedUntil: null,
      clockSkewSeconds: null,
    }),
    async fetchPage(page, options = {}) {
      call(String(page), options.purpose ?? 'follow')
      return await service.fetchPage(page, options)
    },
    async fetchPageIfChanged(page, held, options = {}) {
      call(String(page), options.purpose ?? 'follow')
      return await service.fetchPageIfChanged(page, held, options)
    },
    async fetchDump(kind, options = {}) {
      call(kind, options.purpose ?? 'dump')
      return await service.fetchDump(kind, options)
    },
    async fetchDumpIfChanged(kind, held, options = {}) {
      call(kind, options.purpose ?? 'dump')
      return await service.fetchDumpIfChanged(kind, held, options)
    },
  }
  return limited
}
