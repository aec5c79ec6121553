import { rm } from 'node:fs/promises'
import type { RecordBatch } from '#lib/archive/editions/edition-tables.ts'
import {
  type ChangeCounts,
  countChanges,
  type JoinOptions,
} from '#lib/archive/editions/join-editions.ts'
import { writeDifference } from '#lib/archive/editions/write-difference.ts'
import type { StepProgress } from '#lib/contract/answers/status.ts'
import type { KindCounts } from '#lib/contract/lists/edition-differences.ts'
import { CsvError } from '#lib/csv/csv-error.ts'
import { readCsvFile } from '#lib/csv/read-csv-file.ts'
import type { KeptEdition } from '#lib/sync/sync.ts'
import { toDumpFault } from './dump-csv.ts'

export type Comparing = {
  before: Pick<KeptEdition, 'path' | 'rows'>
  after: Pick<KeptEdition, 'path' | 'rows'>
  spillPath: string
  signal: AbortSignal
  onProgress?: (progress: StepProgress) => void
}

/** Throws AppError if a file is not valid CSV. */
export async function countEditionChanges(comparing: Comparing): Promise<ChangeCounts> {
  return await compare(comparing, countChanges)
}

type Writing = Comparing &
  Pick<Parameters<typeof writeDifference>[0], 'path' | 'earlier' | 'fetchedAt' | 'selectMarked'>

export async function writeEditionDifference(writing: Writing): Promise<KindCounts> {
  const { path, earlier, fetchedAt, selectMarked } = writing
  return await compare(
    writing,
    async (options) =>
      await writeDifference({ ...options, path, earlier, fetchedAt, selectMarked }),
  )
}

async function compare<T>(
  { before, after, spillPath, signal, onProgress }: Comparing,
  work: (options: JoinOptions) => Promise<T>,
): Promise<T> {
  const total = before.rows + after.rows
  try {
    return await work({
      before,
      after,
      readRecords,
      spillPath,
      signal,
      onRows: (done) => onProgress?.({ step: 'comparing', done, total, unit: 'rows' }),
    })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    await rm(spillPath, { recursive: true, force: true })
  }
}

async function* readRecords(path: string, signal: AbortSignal): AsyncGenerator<RecordBatch> {
  try {
    for await (const { header, records } of readCsvFile(path, signal)) {
      yield { header, records: records.map(({ cells }) => cells) }
    }
  } catch (error) {
    throw error instanceof CsvError ? toDumpFault(error) : error
  }
}
