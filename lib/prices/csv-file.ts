import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { AppError } from '#lib/contract/faults.ts'
import { createCsvReader } from '#lib/sync/editions/dump-csv.ts'

/** Some records of a CSV file in its order, under its header. */
export type CsvBatch = { header: readonly string[]; records: readonly string[][] }

/**
 * The records of a CSV file, so many at a time, in UTF-8 or UTF-16, with commas, semicolons or tabs. Throws AppError('bad_request') where it is
 * no CSV, and what the file system throws.
 */
export async function* readCsvFile(
  path: string,
  signal: AbortSignal,
): AsyncGenerator<CsvBatch, void, undefined> {
  const reader = createCsvReader()
  const toBytes = createDecoder(await readHead(path))
  for await (const chunk of createReadStream(path, { signal, highWaterMark: CHUNK_BYTES })) {
    const records = asCsv(() => reader.push(toBytes(chunk as Uint8Array)))
    const header = reader.header()
    if (header !== null) yield { header, records }
  }
  const { records } = asCsv(() => reader.end())
  const header = reader.header()
  if (header === null) throw unreadable('is empty')
  yield { header, records }
}

/** Where the columns of a header stand by what they are called there, in any case. */
export function toColumnFinder(
  header: readonly string[],
): (names: readonly string[]) => number | undefined {
  const plain = header.map((name) =>
    name
      .trim()
      .toLowerCase()
      .replace(/[\s_]+/g, ' '),
  )
  return (names) => names.map((name) => plain.indexOf(name)).find((at) => at >= 0)
}

/** Says why nothing of a file can be read, in a sentence whose subject is the file. */
export const unreadable = (why: string) => new AppError('bad_request', why)

/** A record as it came, cut where it is long. */
export const toRaw = (record: readonly string[]) => record.join(',').slice(0, RAW_MAX_LENGTH)

const CHUNK_BYTES = 512 * 1024
const HEAD_BYTES = 1024
const RAW_MAX_LENGTH = 200

function asCsv<T>(read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw new AppError('bad_request', 'is no CSV text in UTF-8 or UTF-16', { cause })
  }
}

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Bytes of the file as bytes of UTF-8: which encoding it has shows in its first bytes. */
function createDecoder(head: Uint8Array): (bytes: Uint8Array) => Uint8Array {
  const encoding = selectEncoding(head)
  if (encoding === null) return (bytes) => bytes
  const decoder = new TextDecoder(encoding, { fatal: true })
  const encoder = new TextEncoder()
  return (bytes) => encoder.encode(decoder.decode(bytes, { stream: true }))
}

function selectEncoding([first = 0, second = 0, third = 1]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  // Without a mark: every other byte of a header is nothing.
  if (first !== 0 && second === 0) return 'utf-16le'
  return first === 0 && second !== 0 && third === 0 ? 'utf-16be' : null
}

/** How long a file that was changed may go unseen. */
export const LOOK_SECONDS = 30

/** Another text for a file that is another, or was changed. Throws what the file system throws. */
export async function toMark(path: string): Promise<string> {
  const { ino, size, mtimeMs } = await stat(path)
  return `${ino} ${size} ${mtimeMs}`
}

/** In a sentence whose subject is the file. */
export function toProblem(error: unknown): string {
  if (error instanceof AppError) return error.message
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'ENOENT') return 'is not there'
  if (code === 'ELOOP') return 'is a link that leads back to itself'
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read by this process'
  return 'cannot be read'
}
