import { createReadStream } from 'node:fs'
import type { CsvError } from './csv-error.ts'
import { type CsvRecord, createCsvReader } from './csv-reader.ts'

/** Consecutive records of a file. */
export type CsvBatch = { header: readonly string[]; delimiter: string; records: CsvRecord[] }

/** Parsing a piece takes about 10 ms, during which nothing else of the process runs. */
const CHUNK_BYTES = 128 * 1024

/**
 * The records of a CSV file in batches, in file order. Throws {@link CsvError} after the records before the place that cannot be read, and
 * file system errors.
 */
export async function* readCsvFile(
  path: string,
  signal?: AbortSignal,
): AsyncGenerator<CsvBatch, void, undefined> {
  const reader = createCsvReader()
  const toBatch = (records: CsvRecord[]): CsvBatch | null => {
    const [header, delimiter] = [reader.header(), reader.delimiter()]
    return header && delimiter !== null ? { header, delimiter, records } : null
  }
  for await (const chunk of createReadStream(path, { signal, highWaterMark: CHUNK_BYTES })) {
    const batch = toBatch(reader.push(chunk as Uint8Array))
    if (batch) yield batch
    refuse(reader.error())
  }
  const batch = toBatch(reader.end().records)
  if (batch) yield batch
  refuse(reader.error())
}

function refuse(error: CsvError | null): void {
  if (error) throw error
}
