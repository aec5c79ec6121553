import { createSharedTurns } from '#lib/async/serial-queue.ts'
import { type LogEvent, logEvent } from '#lib/contract/answers/status.ts'
import { parseLine } from '#lib/files/line-file.ts'
import { type Database, inTime, type Transaction, toStoreError } from './connection.ts'
import { notify } from './notices.ts'
import { transact } from './transaction.ts'

export type SharedEventLog = {
  /** Never throws or waits. */
  append(event: Omit<LogEvent, 'id' | 'at'>): void
  latest(count: number): LogEvent[]
  onAppend(listener: (event: LogEvent) => void): () => void
  refresh(): Promise<void>
  close(): Promise<void>
}

type SharedEventLogOptions = {
  sql: Database
  node: string
  /** Unix seconds. */
  now: () => number
  /** In [0, 1). */
  random: () => number
  log?: (message: string) => void
}

const HELD = 1000
/** The oldest unsent entries are dropped. */
const WAITING = 1000
const KEPT = 5000

export function createSharedEventLog(options: SharedEventLogOptions): SharedEventLog {
  const { sql, now, log = () => undefined } = options
  const listeners = new Set<(event: LogEvent) => void>()
  const toId = createIds(options)
  let last: number | null = null
  let events: LogEvent[] = []
  const own = new Set<number>()
  const show = (event: LogEvent) => {
    events.push(event)
    if (events.length > 2 * HELD) events = events.slice(-HELD)
    tellAll(listeners, event)
  }
  const writer = createWriter({
    ...options,
    onProblem: () => log('the event log cannot be written'),
  })
  const look = async () => {
    const found = await read(sql, last)
    const isFirst = last === null
    last = found.last
    if (isFirst) {
      events = [...found.events.filter(({ id }) => !own.delete(id)), ...events]
      return
    }
    for (const event of found.events) if (!own.delete(event.id)) show(event)
  }
  const lookInTurn = createSharedTurns(look)
  return {
    append(entry) {
      const event = { id: toId(), at: Math.floor(now()), ...entry }
      noteOwn(own, event.id)
      writer.add(JSON.stringify(event))
      show(event)
    },
    latest: (count) => (count > 0 ? events.slice(-count).reverse() : []),
    onAppend(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async refresh() {
      await writer.settle()
      await lookInTurn()
    },
    close: writer.settle,
  }
}

function noteOwn(own: Set<number>, id: number): void {
  own.add(id)
  const [oldest] = own
  if (own.size > 2 * WAITING && oldest !== undefined) own.delete(oldest)
}

function tellAll(listeners: ReadonlySet<(event: LogEvent) => void>, event: LogEvent): void {
  for (const listener of listeners) {
    try {
      listener(event)
    } catch {
      // Listeners handle their own errors.
    }
  }
}

const SLOTS = 1_000_000

/** Time plus a random slot per node: unique and increasing. */
function createIds({ now, random }: Pick<SharedEventLogOptions, 'now' | 'random'>): () => number {
  const slot = Math.floor(random() * SLOTS)
  let last = 0
  return () => {
    last = Math.max(last + 1, Math.floor(now()) * SLOTS + slot)
    return last
  }
}

type EventBatch = { last: number; events: LogEvent[] }

async function read(sql: Database, after: number | null): Promise<EventBatch> {
  try {
    return await inTime(sql, selectBehind(sql, after))
  } catch (cause) {
    throw toStoreError(cause)
  }
}

async function selectBehind(sql: Database, after: number | null): Promise<EventBatch> {
  const [end] = await sql<{ last: number }[]>`
    select coalesce(max(id), 0) as last from bellwether.event`
  const last = end?.last ?? 0
  if (after !== null && last <= after) return { last, events: [] }
  const rows = await sql<{ entry: string }[]>`
    select entry from (
      select id, entry from bellwether.event where id > ${after ?? 0} and id <= ${last}
      order by id desc limit ${HELD}
    ) newest order by id`
  return { last, events: rows.flatMap(({ entry }) => parseLine(logEvent, entry) ?? []) }
}

type Writer = {
  add(entry: string): void
  /** Never rejects. */
  settle(): Promise<void>
}

type WriterDeps = { sql: Database; node: string; onProblem: () => void }

function createWriter({ sql, node, onProblem }: WriterDeps): Writer {
  let waiting: string[] = []
  let isTold = false
  const flush = async () => {
    const entries = waiting
    if (entries.length === 0) return
    try {
      await inTime(
        sql,
        transact(sql, (transaction) => insert(transaction, node, entries)),
      )
      const written = new Set(entries)
      waiting = waiting.filter((entry) => !written.has(entry))
      isTold = false
    } catch {
      if (!isTold) onProblem()
      isTold = true
    }
  }
  const settle = createSharedTurns(flush)
  return {
    add(entry) {
      waiting = [...waiting, entry].slice(-WAITING)
      void settle()
    },
    settle,
  }
}

/** Serializes writers: a reader that has seen a row has seen all earlier ones. */
const EVENT_LOCK = 7_415_226_093

/** Idempotent: each entry carries its own id. */
async function insert(
  transaction: Transaction,
  node: string,
  entries: readonly string[],
): Promise<void> {
  await transaction`select pg_advisory_xact_lock(${String(EVENT_LOCK)}::bigint)`
  await transaction`
    insert into bellwether.event (node, entry)
    select ${node}, entry
    from json_array_elements_text(${JSON.stringify(entries)}::text::json) with ordinality as given (entry, place)
    where not exists (select 1 from bellwether.event as kept where kept.entry = given.entry)
    order by place`
  await transaction`
    delete from bellwether.event where id <= (select max(id) from bellwether.event) - ${KEPT}`
  await notify(transaction, 'event')
}
