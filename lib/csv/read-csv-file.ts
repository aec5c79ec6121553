import { createReadStream } from 'node:fs'
import type { CsvError } from './csv-error.ts'
import { type CsvRecord, createCsvReader } from './csv-reader.ts'

export type CsvBatch = { header: readonly string[]; delimiter: string; records: CsvRecord[] }

/** About 10 ms of parsing, which blocks the event loop. */
const CHUNK_BYTES = 128 * 1024

/** Throws {@link CsvError} after the readable records. */
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
