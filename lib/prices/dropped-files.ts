import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#lib/contract/faults.ts'
import {
  isPriceFileName,
  PRICE_FILE_MAX_BYTES,
  PRICE_FILES_MAX_BYTES,
} from '#lib/contract/price-files.ts'
import { createQueue } from '#lib/contract/serial-queue.ts'
import { CsvError } from '#lib/csv/csv-error.ts'
import { toProblem } from './file-problems.ts'
import { readPriceFile } from './read-price-file.ts'

/** A file on its way in: what it is called, how many bytes it said to have, and the bytes as they come. */
export type ArrivingFile = {
  name: string
  bytes: number
  body: AsyncIterable<Uint8Array>
  signal: AbortSignal
}

/** The price files that operators put here, in a folder of ours. */
export type DroppedFiles = {
  /**
   * Puts a file in place, whole or not at all; one of the same name gives way. Throws AppError where it is none of prices, is too large, or
   * there is no room.
   */
  take(file: ArrivingFile): Promise<void>
  /** Throws AppError('not_found') where none is called so. */
  remove(name: string): Promise<void>
}

/** Of an upload that was broken off with its process; another ending than files have. */
const ARRIVING = '.arriving'

export function createDroppedFiles(dir: string): DroppedFiles {
  const inTurn = createQueue()
  return {
    take: async (file) => await inTurn(async () => await takeFile(dir, file)),
    remove: async (name) =>
      await inTurn(async () => {
        if (!isPriceFileName(name)) throw notThere()
        await rm(join(dir, name)).catch((error: unknown) => {
          throw isCode(error, 'ENOENT') ? notThere() : error
        })
      }),
  }
}

const notThere = () => new AppError('not_found', 'No price file is called so.')

const isCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code

const toCount = (bytes: number) => `${Math.round(bytes / 1_048_576)} MiB`

async function takeFile(dir: string, file: ArrivingFile): Promise<void> {
  if (!isPriceFileName(file.name)) {
    const message =
      'The name of a price file is of letters, digits, blanks and . _ ^ - + = ( ), at most 100, and ends in .csv.'
    throw new AppError('bad_request', message)
  }
  await mkdir(dir, { recursive: true, mode: 0o700 })
  await refuseLarge(dir, file)
  const folder = join(dir, `${randomUUID()}${ARRIVING}`)
  try {
    await mkdir(folder, { mode: 0o700 })
    // By its own name: it may say which symbol the prices are of.
    const path = join(folder, file.name)
    await write(path, file)
    await refuseOthers(path, file.signal)
    await rename(path, join(dir, file.name))
  } catch (error) {
    if (isCode(error, 'ENOSPC') || isCode(error, 'EDQUOT')) {
      throw new AppError('not_ready', 'The disk is full: nothing was changed.', { cause: error })
    }
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What is there is counted first, so that no upload fills the disk by and by. What was broken off earlier goes. */
async function refuseLarge(dir: string, { name, bytes }: ArrivingFile): Promise<void> {
  if (bytes > PRICE_FILE_MAX_BYTES) throw tooLarge(PRICE_FILE_MAX_BYTES, 'A price file has')
  let kept = 0
  for (const one of await readdir(dir)) {
    if (one.endsWith(ARRIVING)) await rm(join(dir, one), { recursive: true, force: true })
    else if (one !== name) kept += (await stat(join(dir, one))).size
  }
  if (kept + bytes > PRICE_FILES_MAX_BYTES) {
    throw tooLarge(PRICE_FILES_MAX_BYTES, 'All price files that were put here have')
  }
}

const tooLarge = (most: number, what: string) =>
  new AppError(
    'payload_too_large',
    `${what} at most ${toCount(most)}: name larger ones in PRICES_CSV.`,
  )

/** As it comes, piece by piece. One that is broken off, or is longer than it said, is none. */
async function write(path: string, { body, bytes, signal }: ArrivingFile): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    let written = 0
    for await (const piece of body) {
      signal.throwIfAborted()
      written += piece.byteLength
      if (written > bytes) break
      await file.writeFile(piece)
    }
    if (written !== bytes) {
      throw new AppError('bad_request', 'The file did not come whole: nothing was changed.')
    }
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A file without one price is none of prices. */
async function refuseOthers(path: string, signal: AbortSignal): Promise<void> {
  let [rows, first]: [number, string | null] = [0, null]
  try {
    for await (const batch of readPriceFile(path, signal)) {
      rows += batch.rows.length
      const [rejected] = batch.rejected
      if (rejected) first ??= `line ${rejected.line} ${rejected.reason}: ${rejected.value}`
    }
  } catch (error) {
    if (signal.aborted || !(error instanceof AppError || error instanceof CsvError)) throw error
    throw new AppError('bad_request', `The file ${toProblem(error)}: nothing was changed.`)
  }
  if (rows > 0) return
  const why = first === null ? '' : ` (${first})`
  throw new AppError('bad_request', `The file holds no price${why}: nothing was changed.`)
}
