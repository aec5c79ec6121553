import * as z from 'zod/mini'
import { seconds } from '#lib/contract/answers/envelope.ts'
import {
  type Move,
  move,
  SYNC_DAYS_MAX,
  type SyncDay,
  type SyncRun,
  syncDay,
  syncRun,
} from '#lib/contract/answers/status.ts'
import { openLineFile, parseLine } from '#lib/files/line-file.ts'
import type { Log } from '#lib/sync/sync.ts'
import type { KeptText } from '#lib/upstream/replace-file.ts'

const KEPT = 5
const MAXIMUM_BYTES = 65_536
const WORD_SECONDS = 10
const KILLED = 'The process ended during the run.'

export type RunEnd = Pick<SyncRun, 'outcome' | 'requests' | 'rows' | 'reason'>

export type OpenRun = {
  word(requests: number): void
  end(how: RunEnd): SyncRun
}

export type RunLog = {
  begin(move: Move): OpenRun
  list(): SyncRun[]
  /** Oldest first. */
  days(): SyncDay[]
  close(): Promise<void>
}

const openLine = z.object({
  move,
  started_at: seconds,
  word_at: seconds,
  requests: z.int(),
})
type OpenLine = z.infer<typeof openLine>

/** A day's last line counts. */
const runLine = z.union([syncRun, openLine, syncDay])

type StoredRuns = { runs: SyncRun[]; days: ReadonlyMap<string, SyncDay> }

type Append = (...lines: string[]) => void

export const createKept = (): StoredRuns => ({ runs: [], days: new Map() })

const toLines = ({ runs, days }: StoredRuns): string[] =>
  [...days.values(), ...runs].map((line) => JSON.stringify(line))

/** A run without an end was interrupted. Never throws into the sync. */
export async function openRunLog(options: {
  file: string
  now: () => number
  log?: Log
}): Promise<RunLog> {
  const { file, now, log = () => undefined } = options
  const kept = createKept()
  const opened = await openLineFile({
    file,
    maximumBytes: MAXIMUM_BYTES,
    onProblem: () => log('the log of runs cannot be written'),
    carry: () => toLines(kept),
  })
  const append: Append = (...lines) => {
    for (const line of lines) opened.file.append(line)
  }
  readRuns(opened.lines, kept, append)
  return { ...createRunLog(now, kept, append), close: opened.file.settle }
}

/** Each save writes all runs, so a failed one is made up by the next. */
export async function openKeptRunLog(options: {
  text: KeptText
  now: () => number
  log?: Log
}): Promise<RunLog> {
  const { text, now, log = () => undefined } = options
  const kept = createKept()
  const lines = (await text.load())?.split('\n') ?? []
  let isTold = false
  let queue: Promise<void> = Promise.resolve()
  const save = async (whole: string) => {
    try {
      await text.save(whole)
      isTold = false
    } catch {
      if (!isTold) log('the log of runs cannot be written')
      isTold = true
    }
  }
  const append: Append = (...added) => {
    const whole = [...new Set([...toLines(kept), ...added])].join('\n')
    queue = queue.then(() => save(whole))
  }
  readRuns(lines, kept, append)
  return { ...createRunLog(now, kept, append), close: () => queue }
}

function readRuns(lines: readonly string[], kept: StoredRuns, append: Append): void {
  let open: OpenLine | null = null
  for (const line of lines) {
    const parsed = parseLine(runLine, line)
    if (!parsed) continue
    if ('day' in parsed) {
      kept.days = withDay(kept.days, parsed)
      continue
    }
    // A carried-over run is in both files.
    if ('outcome' in parsed) kept.runs = toKept([...kept.runs.filter(isNot(parsed)), parsed])
    open = 'word_at' in parsed ? parsed : null
  }
  if (!open) return
  const { word_at, ...begun } = open
  const rest = { outcome: 'interrupted' as const, rows: null, reason: KILLED }
  const run: SyncRun = { ...begun, ended_at: word_at, ...rest }
  kept.runs = toKept([...kept.runs, run])
  append(JSON.stringify(run))
}

export function createRunLog(
  now: () => number,
  kept: StoredRuns = createKept(),
  append: Append = () => undefined,
): RunLog {
  return {
    begin(name) {
      const started_at = now()
      let word_at = started_at
      const begun = { move: name, started_at }
      const say = (requests: number) => {
        const line: OpenLine = { ...begun, word_at, requests }
        append(JSON.stringify(line))
      }
      say(0)
      return {
        word(requests) {
          if (Math.abs(now() - word_at) < WORD_SECONDS) return
          word_at = now()
          say(requests)
        },
        end(how) {
          const run: SyncRun = { ...begun, ended_at: Math.max(started_at, now()), ...how }
          kept.runs = toKept([...kept.runs, run])
          const lines: (SyncRun | SyncDay)[] = [run]
          if (run.outcome !== 'interrupted') {
            const day = countRun(kept.days, run)
            kept.days = withDay(kept.days, day)
            lines.push(day)
          }
          append(...lines.map((line) => JSON.stringify(line)))
          return run
        },
      }
    },
    list: () => [...kept.runs].reverse(),
    days: () => [...kept.days.values()],
    close: async () => undefined,
  }
}

function toKept(runs: readonly SyncRun[]): SyncRun[] {
  return runs.filter(
    (run, index) => runs.slice(index + 1).filter((later) => later.move === run.move).length < KEPT,
  )
}

function countRun(days: StoredRuns['days'], { ended_at, outcome }: SyncRun): SyncDay {
  const day = new Date(ended_at * 1000).toISOString().slice(0, 10)
  const { done, failed } = days.get(day) ?? { done: 0, failed: 0 }
  return outcome === 'done' ? { day, done: done + 1, failed } : { day, done, failed: failed + 1 }
}

function withDay(days: StoredRuns['days'], day: SyncDay): StoredRuns['days'] {
  const all = new Map(days).set(day.day, day)
  return new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1)).slice(-SYNC_DAYS_MAX))
}

const isNot = (run: SyncRun) => (other: SyncRun) =>
  other.move !== run.move || other.started_at !== run.started_at || other.ended_at !== run.ended_at
