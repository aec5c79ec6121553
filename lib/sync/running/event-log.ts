import {
  type Alarm,
  type LogEvent,
  logEvent,
  type Move,
  type SyncRun,
} from '#lib/contract/answers/status.ts'
import type { AppError } from '#lib/contract/faults.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import { openLineFile, parseLine } from '#lib/files/line-file.ts'
import type { EventLog, KeptEdition, Log, LogFields } from '#lib/sync/sync.ts'
import { countOf } from '#lib/sync/sync-status.ts'

const MAXIMUM_BYTES = 512 * 1024
const HELD = 1000

/** Unix seconds. */
type EventLogOptions = { file: string; now: () => number; log?: Log; maximumBytes?: number }

/** Skips damaged lines. Unwritten entries stay in memory. Ids always increase. */
export async function openEventLog(options: EventLogOptions): Promise<EventLog> {
  const { file, now, log = () => undefined, maximumBytes = MAXIMUM_BYTES } = options
  const onProblem = () => log('the event log cannot be written')
  const opened = await openLineFile({ file, maximumBytes, onProblem })
  const earlier = opened.lines.flatMap((line) => parseLine(logEvent, line) ?? [])
  const memory = createEventMemory(now, earlier)
  memory.onAppend((event) => opened.file.append(JSON.stringify(event)))
  return { ...memory, close: opened.file.settle }
}

export function createEventMemory(now: () => number, earlier: readonly LogEvent[] = []): EventLog {
  let events = earlier.slice(-HELD)
  const listeners = new Set<(event: LogEvent) => void>()
  // Time-based: ids of entries that never reached the disk are not reused.
  let nextId = events.reduce((highest, { id }) => Math.max(highest, id + 1), Math.floor(now()))
  return {
    append(entry) {
      const event = { id: nextId, at: Math.floor(now()), ...entry }
      nextId += 1
      events.push(event)
      if (events.length > 2 * HELD) events = events.slice(-HELD)
      for (const listener of listeners) {
        try {
          listener(event)
        } catch {
          // Listeners handle their own errors.
        }
      }
    },
    latest: (count) => (count > 0 ? events.slice(-count).reverse() : []),
    onAppend(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: async () => undefined,
  }
}

const SUM_SECONDS = 3600

export type EventReporter = {
  imported(move: Move, rows: NonNullable<SyncRun['rows']>): void
  followed(rows: SyncRun['rows']): void
  dumpCame(edition: KeptEdition): void
  dumpHeldBack(kind: DumpKind, reason: string): void
  dumpFailed(kind: DumpKind, failure: AppError): void
  /** `reason`: a sentence for people. `detail`: for the log. */
  waits(error: AppError, how: { reason: string; detail: string; seconds: number }): void
  goesOn(failures: number): void
  restarted(detail: string): void
  raised(alarm: Alarm): void
  cleared(alarm: Alarm): void
}

type Entry = {
  level: LogEvent['level']
  kind: LogEvent['kind']
  message: string
  fields: LogFields
}

export function createEventReporter(deps: {
  eventLog: EventLog
  log: Log
  now: () => number
}): EventReporter {
  const { eventLog, log, now } = deps
  const write = (entry: Entry) => {
    eventLog.append(entry)
  }
  const sum = createSum(now)
  let told = ''
  /** Skips consecutive duplicates. */
  const writeOnce = (entry: Entry) => {
    const key = `${entry.kind} ${entry.message}`
    if (key !== told) write(entry)
    told = key
  }
  return {
    imported(move, rows) {
      const message =
        move === 'bootstrap'
          ? `The archive was filled: ${countOf(rows.inserted, 'rating')}.`
          : `The posts dump was imported: ${countOf(rows.inserted, 'new rating')}, ${rows.updated} changed.`
      write({ level: 'info', kind: 'sync', message, fields: rows })
      if (rows.vanished > 0) {
        const gone = `The service no longer lists ${countOf(rows.vanished, 'rating')}.`
        write({ level: 'warning', kind: 'archive', message: gone, fields: {} })
      }
    },
    followed(rows) {
      const inserted = sum(rows?.inserted ?? 0)
      if (inserted === 0) return
      const message = `${countOf(inserted, 'new rating')} received.`
      write({ level: 'info', kind: 'sync', message, fields: { inserted } })
    },
    dumpCame({ kind, edition, rows, bytes, unchanged }) {
      const message = unchanged
        ? `The ${kind} dump of ${edition} arrived and is last week’s.`
        : `The ${kind} dump of ${edition} was fetched: ${countOf(rows, 'row')}.`
      const level = unchanged ? 'warning' : 'info'
      write({ level, kind: 'dump', message, fields: { edition, rows, bytes } })
    },
    dumpHeldBack(kind, reason) {
      const message = `The ${kind} dump was set aside: ${reason}`
      write({ level: 'warning', kind: 'dump', message, fields: {} })
    },
    dumpFailed(kind, { message: reason, fault }) {
      const message = `The ${kind} dump of this week could not be fetched: ${reason}`
      writeOnce({ level: 'warning', kind: 'dump', message, fields: { fault } })
    },
    waits({ fault }, { reason, detail, seconds }) {
      log('the sync waits', { fault, detail, seconds })
      const level = fault === 'upstream_refused' ? 'error' : 'warning'
      writeOnce({ level, kind: 'service', message: `The sync waits: ${reason}`, fields: { fault } })
    },
    goesOn(failures) {
      log('the sync goes on', { failures })
      const message = `The sync goes on, after ${countOf(failures, 'failure')}.`
      write({ level: 'info', kind: 'service', message, fields: { failures } })
      told = ''
    },
    restarted(detail) {
      log('the sync was restarted', { detail })
      const message = 'The sync was restarted because it had stalled.'
      writeOnce({ level: 'error', kind: 'sync', message, fields: {} })
    },
    raised({ kind, message }) {
      log('an alarm was raised', { alarm: kind, detail: message })
      write({ level: 'warning', kind: 'alarm', message, fields: { alarm: kind, raised: true } })
    },
    cleared({ kind, message }) {
      log('an alarm was cleared', { alarm: kind })
      const over = `No longer: ${message}`
      write({ level: 'info', kind: 'alarm', message: over, fields: { alarm: kind, raised: false } })
    },
  }
}

function createSum(now: () => number) {
  let pending = 0
  let toldAt: number | null = null
  return (inserted: number): number => {
    pending += inserted
    const ageSeconds = toldAt === null ? SUM_SECONDS : Math.abs(now() - toldAt)
    if (pending === 0 || ageSeconds < SUM_SECONDS) return 0
    const sum = pending
    pending = 0
    toldAt = now()
    return sum
  }
}
