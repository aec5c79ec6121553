import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  BIGINT,
  type DuckDBAppender,
  DuckDBDataChunk,
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  SMALLINT,
  VARCHAR,
} from '@duckdb/node-api'
import type { Kysely } from 'kysely'
import type {
  Archive,
  CsvImport,
  ImportOutcome,
  ImportResult,
  ImportRun,
  ImportSource,
} from '#lib/archive/archive.ts'
import type { Session } from '#lib/archive/engine/duckdb-session.ts'
import { createStaging, dropStaging } from '#lib/archive/engine/migrations.ts'
import { readRejectedId, type Tables } from '#lib/archive/engine/tables.ts'
import type { ArchiveState } from '#lib/archive/query/archive-state.ts'
import { forgetApplied } from '#lib/archive/share/applied.ts'
import { openSharing, type Sharing, type SharingOptions } from '#lib/archive/share/share-commit.ts'
import { createQueue, type InTurn } from '#lib/async/serial-queue.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { IncomingRating, RejectedRow } from '#lib/contract/rating.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { applyChange } from './apply-change.ts'
import { checkpointAfter } from './checkpoint.ts'
import { adoptKeys, type StagedCsv, stageCsv } from './csv-import.ts'
import { countVanished, type MergeCounts, mergeIncoming, noteCovered } from './merge.ts'
import { QUARANTINE_CHARACTERS, QUARANTINE_ROWS, quarantineRejected } from './quarantine.ts'

type ImportsOptions = {
  now: () => number
  state: () => ArchiveState
  rebuildAbove: number
  settle: () => Promise<void>
  refresh: (isFilled?: boolean) => Promise<void>
  sharing?: SharingOptions | undefined
}

export type Imports = {
  run: Archive['import']
  freeze: Archive['freeze']
  apply: Archive['apply']
  leave: Archive['leave']
  close(): Promise<void>
}

export function createImports(writer: Session, options: ImportsOptions): Imports {
  const inTurn = createQueue()
  const betweenWrites = createQueue()
  let current: OpenRun | null = null
  let closed = false
  return {
    freeze: (work) =>
      betweenWrites(async () => {
        await options.settle()
        return await work()
      }),
    run: (source, fill) =>
      inTurn(async () => {
        if (closed) throw closedError()
        const run = await openRun(writer, { ...options, source, betweenWrites })
        current = run
        try {
          const outcome = await run.commit(await fill(run))
          await options.refresh()
          return outcome
        } catch (error) {
          await run.abort().catch(() => undefined)
          if (!closed) await options.refresh().catch(() => undefined)
          throw error
        } finally {
          current = null
        }
      }),
    apply: (change) =>
      inTurn(async () => {
        if (closed) throw closedError()
        const isApplied = await betweenWrites(() => applyChange(writer, change, options))
        if (isApplied) await options.refresh(change.isWhole)
        return isApplied
      }),
    leave: () =>
      inTurn(async () => {
        if (closed) throw closedError()
        await betweenWrites(() => forgetApplied(writer.db))
        await options.refresh()
      }),
    async close() {
      closed = true
      await current?.abort()
    },
  }
}

const closedError = () => new AppError('not_ready', 'The archive is closed.')

type OpenRun = ImportRun & {
  commit(result: ImportResult): Promise<ImportOutcome>
  abort(): Promise<void>
}

type RunOptions = Omit<ImportsOptions, 'refresh' | 'settle'> & {
  source: ImportSource
  betweenWrites: InTurn
}

async function openRun(writer: Session, options: RunOptions): Promise<OpenRun> {
  const { betweenWrites } = options
  await betweenWrites(() => noteRun(writer, { ...options, state: 'running' }))
  const staging = await openStaging(writer)
  const inTurn = createQueue()
  let ended = false
  const whileOpen = <T>(work: () => Promise<T>): Promise<T> =>
    inTurn(async () => {
      if (ended) throw new Error('the import run has ended')
      return await work()
    })
  const giveUp = async () => {
    ended = true
    await staging.discard()
    await betweenWrites(() => noteRun(writer, { ...options, state: 'aborted' }))
  }
  return {
    append: (rows, rejected) => whileOpen(async () => await staging.append(rows, rejected)),
    appendCsv: (file) => whileOpen(async () => await staging.appendCsv(file)),
    countVanished: (whole) => whileOpen(async () => await countVanished(writer.db, whole)),
    commit: (result) =>
      whileOpen(async () => {
        const { rejected, overflow, csv } = staging
        const staged = { rejected: rejected(), overflow: overflow(), csv: csv() }
        return await betweenWrites(async () => {
          const outcome = await commitRun(writer, { ...options, ...result, ...staged })
          ended = true
          await staging.discard()
          await checkpointAfter(writer.db, countWritten(outcome))
          return outcome
        })
      }),
    abort: () =>
      inTurn(async () => {
        if (!ended) await giveUp()
      }),
  }
}

type CommitOptions = RunOptions &
  ImportResult & {
    rejected: number
    overflow: number
    csv: StagedCsv | null
  }

async function commitRun({ db }: Session, options: CommitOptions): Promise<ImportOutcome> {
  let sharing: Sharing | null = null
  try {
    return await db.transaction().execute(async (transaction) => {
      if (options.sharing) sharing = await openSharing(transaction, options.sharing)
      // A local change ends replica status.
      else await forgetApplied(transaction)
      const outcome = await mergeRun(transaction, options, sharing)
      await sharing?.commit()
      return outcome
    })
  } finally {
    await (sharing as Sharing | null)?.close()
  }
}

async function mergeRun(
  db: Kysely<Tables>,
  { source, now, state, rebuildAbove, completeTo, whole, rejected, overflow, csv }: CommitOptions,
  sharing: Sharing | null,
): Promise<ImportOutcome> {
  const counts = await mergeIncoming(db, { rebuildAbove, whole, csv, onMerged: sharing?.merged })
  if (whole) await noteCovered(db, whole)
  const quarantined =
    rejected > 0 ? await quarantineRejected(db, { source, at: now(), overflow }) : 0
  const { generation: before, completeTo: completeBefore } = state()
  const generation = countWritten(counts) > 0 ? before + 1 : before
  await db
    .updateTable('journal')
    .set({ generation, complete_to: laterOf(completeBefore, completeTo) })
    .set(toLastRun({ source, now, state: 'committed', counts }))
    .execute()
  return { ...counts, quarantined, generation }
}

const countWritten = (counts: MergeCounts): number =>
  counts.inserted + counts.updated + counts.vanished + counts.returned

function laterOf(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b
  return Math.max(a, b)
}

type RunNote = { source: ImportSource; now: () => number; state: 'running' | 'aborted' }

async function noteRun({ db }: Session, note: RunNote): Promise<void> {
  const counts = { inserted: 0, updated: 0, unchanged: 0, vanished: 0, returned: 0 }
  await db
    .updateTable('journal')
    .set(toLastRun({ ...note, counts }))
    .execute()
}

const toLastRun = (run: {
  source: ImportSource
  now: () => number
  state: string
  counts: MergeCounts
}) => ({
  last_source: `${run.source.kind} ${run.source.name}`,
  last_state: run.state,
  last_at: run.now(),
  last_inserted: run.counts.inserted,
  last_updated: run.counts.updated,
  last_unchanged: run.counts.unchanged,
})

type Staging = {
  append(rows: readonly IncomingRating[], rejected: readonly RejectedRow[]): Promise<void>
  appendCsv(file: CsvImport): Promise<boolean>
  csv(): StagedCsv | null
  rejected(): number
  /** Not staged, but their ids are kept. */
  overflow(): number
  discard(): Promise<void>
}

async function openStaging(session: Session): Promise<Staging> {
  const { db, connection } = session
  await createStaging(db)
  const ratings = await connection.createAppender('incoming', 'main', 'temp')
  const rejections = await connection.createAppender('incoming_rejected', 'main', 'temp')
  const limited = createLimit()
  let size = 0
  let csv: StagedCsv | null = null
  return {
    async append(rows, rejected) {
      if (csv) throw new Error('the import run holds a file already')
      await appendRatings(ratings, rows, size)
      await appendRejected(rejections, rejected.map(limited.take))
      size += rows.length
    },
    async appendCsv(file) {
      if (csv || size > 0 || limited.taken() > 0) return false
      csv = await stageCsv(session, file)
      if (!csv) return false
      ratings.closeSync()
      await adoptKeys(db)
      return true
    },
    csv: () => csv,
    rejected: limited.taken,
    overflow: limited.overflow,
    async discard() {
      if (!csv) ratings.closeSync()
      rejections.closeSync()
      await dropStaging(db)
    },
  }
}

/** Bounds memory and disk against a service that sends only invalid rows. */
function createLimit() {
  let [rows, characters, overflow] = [0, 0, 0]
  return {
    taken: () => rows,
    overflow: () => overflow,
    take({ reason, raw, line }: RejectedRow): StagedRejection {
      rows += 1
      characters += reason.length + raw.length
      const isKept = rows <= QUARANTINE_ROWS && characters <= QUARANTINE_CHARACTERS
      if (!isKept) overflow += 1
      const id = readRejectedId(raw)
      return { reason: isKept ? reason : '', raw: isKept ? raw : null, id, line: line ?? null }
    },
  }
}

export const toCanonicalJson = (value: unknown): string => JSON.stringify(value, sortNames)

function sortNames(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}

type Column<R> = { type: DuckDBType; read: (row: R) => DuckDBValue }

const integer = (value: number | null) => (value === null ? null : BigInt(value))

const RATING_COLUMNS: Column<IncomingRating>[] = [
  { type: BIGINT, read: (row) => integer(row.rating.id) },
  { type: BIGINT, read: (row) => integer(row.rating.user_id) },
  { type: VARCHAR, read: (row) => row.rating.symbol },
  { type: SMALLINT, read: (row) => row.rating.rating },
  { type: VARCHAR, read: (row) => row.rating.rating_label },
  { type: SMALLINT, read: (row) => row.rating.action },
  { type: VARCHAR, read: (row) => row.rating.action_label },
  { type: VARCHAR, read: (row) => row.rating.prediction },
  { type: INTEGER, read: (row) => row.rating.tally_agree },
  { type: INTEGER, read: (row) => row.rating.tally_disagree },
  { type: INTEGER, read: (row) => row.rating.tally_comment },
  { type: BIGINT, read: (row) => integer(row.rating.created_at) },
  { type: VARCHAR, read: (row) => row.rating.created_at_date },
  { type: BIGINT, read: (row) => integer(row.rating.expired_at) },
  { type: VARCHAR, read: (row) => row.rating.expired_at_date },
]

const TAIL_COLUMNS: Column<IncomingRating>[] = [
  { type: VARCHAR, read: (row) => toSymbolKey(row.rating.symbol) },
  { type: VARCHAR, read: (row) => (row.extra === null ? null : toCanonicalJson(row.extra)) },
]

type StagedRejection = {
  reason: string
  raw: string | null
  id: number | null
  line: number | null
}

const REJECTED_COLUMNS: Column<StagedRejection>[] = [
  { type: VARCHAR, read: (row) => row.reason },
  { type: VARCHAR, read: (row) => row.raw },
  { type: BIGINT, read: (row) => integer(row.id) },
  { type: BIGINT, read: (row) => integer(row.line) },
]

async function appendRatings(
  appender: DuckDBAppender,
  rows: readonly IncomingRating[],
  firstSeq: number,
): Promise<void> {
  let seq = BigInt(firstSeq)
  const numbered: Column<IncomingRating> = {
    type: BIGINT,
    read: () => {
      seq += 1n
      return seq
    },
  }
  await appendColumns(appender, [...RATING_COLUMNS, numbered, ...TAIL_COLUMNS], rows)
}

async function appendRejected(
  appender: DuckDBAppender,
  rows: readonly StagedRejection[],
): Promise<void> {
  await appendColumns(appender, REJECTED_COLUMNS, rows)
}

const CHUNK_ROWS = 2048

async function appendColumns<R>(
  appender: DuckDBAppender,
  columns: readonly Column<R>[],
  rows: readonly R[],
): Promise<void> {
  const types = columns.map((column) => column.type)
  for (let start = 0; start < rows.length; start += CHUNK_ROWS) {
    if (start > 0) await nextTurn()
    const part = rows.slice(start, start + CHUNK_ROWS)
    const chunk = DuckDBDataChunk.create(types, part.length)
    columns.forEach((column, index) => {
      chunk.setColumnValues(index, part.map(column.read))
    })
    appender.appendDataChunk(chunk)
  }
  appender.flushSync()
}
