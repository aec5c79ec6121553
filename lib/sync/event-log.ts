import { type LogEvent, logEvent } from '#lib/contract/answers/sync-runs.ts'
import { openLineFile } from './line-file.ts'
import type { EventLog, Log } from './sync.ts'

/** Two files of this size: some five thousand entries. */
const MAXIMUM_BYTES = 512 * 1024
/** How many are held in memory, for whoever asks. */
const HELD = 1000

/** `now` in seconds since 1970. */
export type EventLogOptions = { file: string; now: () => number; log?: Log; maximumBytes?: number }

/**
 * Opens the event log as it was left. Damaged lines are left out. An entry that cannot be written is held in memory all
 * the same, and the process log is told once. Ids rise over restarts, even where the file was lost.
 */
export async function openEventLog(options: EventLogOptions): Promise<EventLog> {
  const { file, now, log = () => undefined, maximumBytes = MAXIMUM_BYTES } = options
  const onProblem = () => log('the event log cannot be written')
  const opened = await openLineFile({ file, maximumBytes, onProblem })
  const earlier = opened.lines.flatMap((line) => parseEvent(line) ?? [])
  const memory = createEventMemory(now, earlier)
  memory.onAppend((event) => opened.file.append(JSON.stringify(event)))
  return { ...memory, close: opened.file.close }
}

/** An event log that is gone with the process. */
export function createEventMemory(now: () => number, earlier: readonly LogEvent[] = []): EventLog {
  let events = earlier.slice(-HELD)
  const listeners = new Set<(event: LogEvent) => void>()
  // By the clock, so that entries that never reached the disk do not give their ids to others after a restart.
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
          // What happened has happened, whatever becomes of whoever listens.
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

function parseEvent(line: string): LogEvent | null {
  try {
    const parsed = logEvent.safeParse(JSON.parse(line))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
