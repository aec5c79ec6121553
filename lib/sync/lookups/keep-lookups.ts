import { LOOKUP_COLUMNS, NEEDED_COLUMNS } from '#lib/archive/lookups/import-lookups.ts'
import type { FillLookups, Lookups } from '#lib/archive/lookups/lookups.ts'
import { createPoller } from '#lib/async/poller.ts'
import type { LookupsImport } from '#lib/contract/answers/status.ts'
import { toAppError } from '#lib/contract/faults.ts'
import { editionStart } from '#lib/contract/weekly-clock.ts'
import { CsvError } from '#lib/csv/csv-error.ts'
import { readCsvFile } from '#lib/csv/read-csv-file.ts'
import type { Editions, EventLog, KeptEdition, Log } from '#lib/sync/sync.ts'

type KeptLookups = {
  report(): LookupsImport
  poll(): Promise<void>
  close(): Promise<void>
}

type LookupsOptions = {
  lookups: Lookups
  editions: Pick<Editions, 'current'>
  eventLog?: Pick<EventLog, 'append'>
  now: () => number
  every: (seconds: number, run: () => void) => () => void
  log: Log
}

const POLL_SECONDS = 5
const RETRY_SECONDS = 300

type Obstacle = {
  sha256: string
  state: 'unreadable' | 'failed'
  problem: string
  retryAt: number | null
}

export function keepLookups(options: LookupsOptions): KeptLookups {
  const { lookups, editions, now, every, log } = options
  let obstacle: Obstacle | null = null
  let isImporting = false

  const poll = async (signal: AbortSignal) => {
    const edition = editions.current('lookups')
    if (!edition || isImported(lookups, edition)) return
    if (obstacle?.sha256 === edition.sha256 && now() < (obstacle.retryAt ?? Infinity)) return
    const { sha256 } = edition
    const missing = selectMissing(edition)
    if (missing.length > 0) {
      const problem = `has no column ${missing.map((name) => `“${name}”`).join(' and none ')}`
      obstacle = { sha256, state: 'unreadable', problem, retryAt: null }
      log('the look-ups cannot be read', { edition: edition.edition, why: problem })
      return
    }
    isImporting = true
    try {
      await importEdition(options, edition, signal)
      obstacle = null
    } catch (error) {
      if (signal.aborted) return
      const why = error instanceof CsvError ? `it ${error.message}` : toAppError(error).message
      const problem = `could not be imported: ${why}`
      obstacle = { sha256, state: 'failed', problem, retryAt: now() + RETRY_SECONDS }
      log('the look-ups could not be imported', { edition: edition.edition, why: String(error) })
    } finally {
      isImporting = false
    }
  }
  const poller = createPoller({ seconds: POLL_SECONDS, every, poll })
  return {
    report: () => toReport(lookups, isImporting, obstacle),
    poll: poller.poll,
    close: poller.close,
  }
}

const isImported = (lookups: Lookups, { edition, sha256 }: KeptEdition) => {
  const known = lookups.state()
  return known.edition === edition && known.sha256 === sha256
}

const selectMissing = ({ columns }: KeptEdition) =>
  NEEDED_COLUMNS.filter((name) => columns.every((column) => column.name !== name))

async function importEdition(
  { lookups, eventLog, log }: LookupsOptions,
  kept: KeptEdition,
  signal: AbortSignal,
): Promise<void> {
  const { edition, sha256 } = kept
  const columns = LOOKUP_COLUMNS.filter((name) => kept.columns.some((one) => one.name === name))
  const imported = { edition, sha256, knownTo: editionStart(edition), columns }
  await lookups.replace(imported, (run) => fill(run, kept, signal), signal)
  const { lookups: rows, before, setAside } = lookups.state()
  const fields = { edition, rows, set_aside: sum(setAside) }
  log('the look-ups were imported', fields)
  const isFewer = before !== null && rows < before
  const message = isFewer
    ? `The look-ups of ${edition} were imported: ${rows}, fewer than the previous ${before}.`
    : `The look-ups of ${edition} were imported.`
  eventLog?.append({ level: isFewer ? 'warning' : 'info', kind: 'archive', message, fields })
}

const sum = (counted: readonly { rows: number }[]) =>
  counted.reduce((total, { rows }) => total + rows, 0)

async function fill(
  run: Parameters<FillLookups>[0],
  { path, rows }: KeptEdition,
  signal: AbortSignal,
): Promise<void> {
  if (await run.takeFile({ path, rows })) return
  for await (const { header, records } of readCsvFile(path, signal)) {
    signal.throwIfAborted()
    const places = LOOKUP_COLUMNS.map((name) => header.indexOf(name))
    await run.append(
      records.map(({ line, cells, problem }) => ({
        line,
        cells: places.map((place) => cells[place] ?? ''),
        problem,
      })),
    )
  }
}

function toReport(
  lookups: Lookups,
  isImporting: boolean,
  obstacle: Obstacle | null,
): LookupsImport {
  const { edition, knownTo, before, setAside, examples, lookups: rows } = lookups.state()
  const rest = edition === null ? 'none' : 'imported'
  return {
    state: isImporting ? 'importing' : (obstacle?.state ?? rest),
    edition,
    known_to: knownTo,
    lookups: rows,
    before,
    problem: obstacle?.problem ?? null,
    set_aside: sum(setAside),
    reasons: [...setAside],
    examples: [...examples],
  }
}
