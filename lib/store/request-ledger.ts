import { AppError } from '#lib/contract/faults.ts'
import type { Clocks } from '#lib/upstream/answer-headers.ts'
import {
  countFrom,
  countOf,
  type Ledger,
  MINUTE_MS,
  type MonthCount,
  type RequestLimits,
  refuseSpent,
  type SpentSoFar,
  toLedgerBudget,
  toMinuteShare,
  toMonth,
} from '#lib/upstream/ledger.ts'
import { PURPOSES, type Purpose } from '#lib/upstream/upstream.ts'
import { type Database, inTime, type Transaction, toStoreError } from './connection.ts'
import { deposed, fenced, type Lease } from './lease.ts'
import {
  countAgain,
  createSentRequests,
  lacksSent,
  type SentRequest,
  type SentRequests,
} from './sent-requests.ts'
import { transact } from './transaction.ts'

export type SharedLedger = Ledger & {
  refresh(): Promise<void>
}

export type SharedLedgerOptions = {
  sql: Database
  node: string
  /** Unix seconds. Not trusted. */
  now: () => number
  /** Monotonic milliseconds. */
  nowMs: () => number
  /** If set, dumps and follows can only be charged while it returns a lease. */
  lease?: () => Lease | null
  sent?: SentRequests
}

/**
 * Serialized, by the database's clock. A charge of unknown outcome is denied. Requests that the
 * database lost are counted again.
 */
export function createSharedLedger(options: SharedLedgerOptions): SharedLedger {
  const { sql, node, now, nowMs, lease, sent = createSentRequests() } = options
  let known = { ...NOTHING, at: now(), ms: nowMs() }

  const spend = async (transaction: Transaction, limits: RequestLimits, spent: SpentFor) => {
    await takeTurn(transaction)
    if (await lacksSent(transaction, sent)) await countAgain(transaction, node, sent)
    const counts = await selectCounts(
      transaction,
      toMinuteShare(spent.purpose, limits.perMinute ?? 1),
    )
    const { earliest, latest } = toClocks(counts.at, spent.clocks, now())
    const month = countFrom(counts.months, { earliest })
    refuseSpent(limits, spent.purpose, { month, at: earliest, minute: counts.minute })
    const granted = await insert(transaction, {
      month: toMonth(latest),
      purpose: spent.purpose,
      node,
    })
    if (month.all % SPENT_BETWEEN_TIDYING === 0) await removeOld(transaction)
    return { counts: addTo(counts, granted), granted }
  }
  return {
    async charge(limits, purpose, clocks) {
      try {
        const work = (transaction: Transaction) => spend(transaction, limits, { purpose, clocks })
        const done = await inTime(sql, inTransaction(sql, toNeeded(lease, purpose), work))
        known = { ...done.counts, ms: nowMs() }
        await sent.note(done.granted)
      } catch (cause) {
        if (cause instanceof AppError) throw cause
        throw new AppError('internal', 'The ledger of requests cannot be written.', { cause })
      }
    },
    budget(limits, clocks) {
      const ageMs = nowMs() - known.ms
      const { earliest } = toClocks(known.at + ageMs / 1000, clocks, now())
      const used = ageMs < MINUTE_MS ? known.minute.used : 0
      return toLedgerBudget(limits, {
        month: countFrom(known.months, { earliest }),
        at: earliest,
        used,
      })
    },
    async refresh() {
      known = { ...(await read(sql, { node, sent })), ms: nowMs() }
    },
    close: async () => undefined,
  }
}

export const ONE_PROCESS = 'one process'

/** Idempotent. `from`: a month such as `2026-11`. */
export async function carrySpent(
  sql: Database,
  lease: Lease,
  { months, lately, from }: SpentSoFar & { from: string },
): Promise<void> {
  await fenced(sql, lease, async (transaction) => {
    for (const [month, count] of months) {
      if (month < from) continue
      const { all, dump, people } = count
      const spent = { dump, people, follow: Math.max(0, all - dump - people) }
      for (const purpose of PURPOSES) {
        await transaction`
          insert into bellwether.request_month as kept values (${month}, ${purpose}, ${spent[purpose]})
          on conflict (month, purpose) do update
          set requests = greatest(kept.requests, excluded.requests)`
      }
    }
    await transaction`delete from bellwether.request where node = ${ONE_PROCESS}`
    for (const at of lately) {
      await transaction`
        insert into bellwether.request (at, purpose, node)
        values (to_timestamp(${at}::float8), 'follow', ${ONE_PROCESS})`
    }
  })
}

type SpentFor = { purpose: Purpose; clocks: Clocks | undefined }

function toNeeded(lease: SharedLedgerOptions['lease'], purpose: Purpose): Lease | null {
  if (!lease || purpose === 'people') return null
  const held = lease()
  if (!held) throw deposed()
  return held
}

type Work<T> = (transaction: Transaction) => Promise<T>

async function inTransaction<T>(sql: Database, lease: Lease | null, work: Work<T>): Promise<T> {
  if (lease) return await fenced(sql, lease, work)
  return await transact(sql, work)
}

function toClocks(at: number, clocks: Clocks | undefined, ours: number): Clocks {
  if (!clocks || clocks.latest - clocks.earliest < 1) return { earliest: at, latest: at }
  const theirs = clocks.latest > ours ? clocks.latest : clocks.earliest
  return { earliest: Math.min(at, theirs), latest: Math.max(at, theirs) }
}

const CHARGE_LOCK = 7_415_226_092
const TURN_MS = 5000

/** Future rows count as now. */
async function takeTurn(transaction: Transaction): Promise<void> {
  await transaction`
    select pg_advisory_xact_lock(${String(CHARGE_LOCK)}::bigint),
      set_config('idle_in_transaction_session_timeout', ${String(TURN_MS)}, true)`
  await transaction`
    update bellwether.request set at = clock_timestamp()
    where at > (select clock_timestamp() + interval '1 second')`
}

type Counts = {
  at: number
  months: Map<string, MonthCount>
  minute: { used: number; ageMs: number }
}

const NOTHING: Counts = { at: 0, months: new Map(), minute: { used: 0, ageMs: 0 } }

type OwnRequests = { node: string; sent: SentRequests }

async function read(sql: Database, { node, sent }: OwnRequests): Promise<Counts> {
  const mend = async (transaction: Transaction) => {
    await takeTurn(transaction)
    await countAgain(transaction, node, sent)
  }
  try {
    if (await inTime(sql, lacksSent(sql, sent))) await inTime(sql, transact(sql, mend))
    return await inTime(sql, selectCounts(sql, 1))
  } catch (cause) {
    throw toStoreError(cause)
  }
}

/** `nth`: request whose age is needed, from the newest. */
async function selectCounts(sql: Database | Transaction, nth: number): Promise<Counts> {
  const [lately] = await sql<{ at: number; used: number; age_ms: number | null }[]>`
    with clock as materialized (select clock_timestamp() as at),
      began as materialized (select at - make_interval(secs => ${MINUTE_MS / 1000}) as at from clock)
    select extract(epoch from clock.at)::float8 as at,
      (select count(*) from bellwether.request where at > (select at from began)) as used,
      (select 1000 * extract(epoch from (select at from clock) - at)::float8 from bellwether.request
        where at > (select at from began) order by request.at desc offset ${nth - 1} limit 1) as age_ms
    from clock`
  const rows = await sql<{ month: string; purpose: string; requests: number }[]>`
    select month, purpose, requests from bellwether.request_month`
  if (!lately) throw new Error('the database says no time')
  const months = new Map<string, MonthCount>()
  for (const { month, purpose, requests } of rows) {
    const count = countOf(months, month)
    count.all += requests
    const known = PURPOSES.find((one) => one === purpose)
    if (known) count[known] += requests
  }
  return { at: lately.at, months, minute: { used: lately.used, ageMs: lately.age_ms ?? 0 } }
}

type Row = { month: string; purpose: Purpose; node: string }

async function insert(
  transaction: Transaction,
  { month, purpose, node }: Row,
): Promise<SentRequest> {
  const [row] = await transaction<{ id: string; at: number }[]>`
    insert into bellwether.request (purpose, node) values (${purpose}, ${node})
    returning id, extract(epoch from at)::float8 as at`
  if (!row) throw new Error('the request was not counted')
  await transaction`
    insert into bellwether.request_month as kept values (${month}, ${purpose}, 1)
    on conflict (month, purpose) do update set requests = kept.requests + 1`
  return { ...row, month, purpose }
}

function addTo(counts: Counts, { month, purpose }: SentRequest): Counts {
  const count = countOf(counts.months, month)
  count.all += 1
  count[purpose] += 1
  return { ...counts, minute: { ...counts.minute, used: counts.minute.used + 1 } }
}

const SPENT_BETWEEN_TIDYING = 100

async function removeOld(transaction: Transaction): Promise<void> {
  await transaction`
    delete from bellwether.request where at < (select clock_timestamp() - interval '1 day')`
}
