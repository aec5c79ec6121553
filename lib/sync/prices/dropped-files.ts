import { randomUUID } from 'node:crypto'
import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createQueue } from '#lib/async/serial-queue.ts'
import { selectDiskFault } from '#lib/contract/disk-faults.ts'
import { AppError } from '#lib/contract/faults.ts'
import {
  isPriceFileName,
  PRICE_FILE_MAX_BYTES,
  PRICE_FILES_MAX_BYTES,
} from '#lib/contract/price-files.ts'
import { CsvError } from '#lib/csv/csv-error.ts'
import { isMissing } from '#lib/files/json-file.ts'
import { toProblem } from '#lib/sync/file-problems.ts'
import { readPriceFile } from './read-price-file.ts'

export type ArrivingFile = {
  name: string
  bytes: number
  body: AsyncIterable<Uint8Array>
  signal: AbortSignal
  client: string
}

type DroppedFiles = {
  /** Atomic. Throws AppError. */
  take(file: ArrivingFile): Promise<void>
  remove(name: string): Promise<void>
}

const ARRIVING = '.arriving'

const LIMITS = { all: 6, client: 2 }
const RETRY_SECONDS = 10

type Arrival = {
  folder: string
  client: string
  bytes: number
  isWhole: boolean
  ending: AbortController
}

/** Only counting and replacing is serialized; it never waits for a client. */
export function createDroppedFiles(dir: string): DroppedFiles {
  const inTurn = createQueue()
  const arrivals = new Set<Arrival>()
  return {
    async take(file) {
      refuseNamed(file)
      makePlace(arrivals, file.client)
      const folder = join(dir, `${randomUUID()}${ARRIVING}`)
      const ending = new AbortController()
      const arrival: Arrival = { folder, client: file.client, bytes: 0, isWhole: false, ending }
      arrivals.add(arrival)
      const signal = AbortSignal.any([file.signal, ending.signal])
      try {
        await inTurn(async () => {
          await mkdir(dir, { recursive: true, mode: 0o700 })
          await makeRoom(dir, file, arrivals)
          await mkdir(folder, { mode: 0o700 })
          arrival.bytes = file.bytes
        })
        // The file name may be the symbol.
        const path = join(folder, file.name)
        await write(path, { ...file, signal })
        arrival.isWhole = true
        await refuseOthers(path, file.signal)
        await inTurn(async () => {
          await rename(path, join(dir, file.name))
          arrival.bytes = 0
        })
      } catch (error) {
        throw toProblemOfDisk(error)
      } finally {
        await rm(folder, { recursive: true, force: true }).catch(() => undefined)
        arrivals.delete(arrival)
      }
    },
    remove: async (name) =>
      await inTurn(async () => {
        if (!isPriceFileName(name)) throw notThere()
        await rm(join(dir, name)).catch((error: unknown) => {
          throw isCode(error, ['ENOENT', 'ERR_FS_EISDIR']) ? notThere() : toProblemOfDisk(error)
        })
      }),
  }
}

const notThere = () => new AppError('not_found', 'No price file has that name.')

const isCode = (error: unknown, codes: readonly string[]) =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

function toProblemOfDisk(cause: unknown): unknown {
  if (cause instanceof AppError) return cause
  const fault = selectDiskFault(cause)
  if (fault?.kind === 'full' || isCode(cause, ['EFBIG'])) {
    return new AppError('not_ready', 'The disk is full. Nothing was changed.', { cause })
  }
  if (isCode(cause, ['EISDIR', 'ENOTEMPTY'])) {
    return new AppError('bad_request', 'A folder has that name. Nothing was changed.', { cause })
  }
  if (fault || isCode(cause, ['ENOTDIR', 'EEXIST', 'ELOOP'])) {
    const message = 'The folder of price files is not writable. Nothing was changed.'
    return new AppError('not_ready', message, { cause })
  }
  return cause
}

function refuseNamed({ name, bytes }: ArrivingFile): void {
  if (!isPriceFileName(name)) {
    const message =
      'The name of a price file may have letters, digits, spaces and . _ ^ - + = ( ), at most 100 characters and 255 bytes, and must end in .csv.'
    throw new AppError('bad_request', message)
  }
  if (bytes > PRICE_FILE_MAX_BYTES) throw tooLarge(PRICE_FILE_MAX_BYTES, 'A price file has')
}

const busy = () =>
  new AppError('busy', 'Too many uploads at once. Try again soon.', {
    retryAfterSeconds: RETRY_SECONDS,
  })

const countOf = (arrivals: ReadonlySet<Arrival>, client: string) =>
  [...arrivals].filter((one) => one.client === client).length

function makePlace(arrivals: Set<Arrival>, client: string): void {
  const own = countOf(arrivals, client)
  if (own >= LIMITS.client) throw busy()
  if (arrivals.size >= LIMITS.all) giveWay(arrivals, own)
}

/** A client without an upload ends the newest one of a client with several. */
function giveWay(arrivals: Set<Arrival>, own: number): void {
  const newest = [...arrivals].findLast(
    ({ client, isWhole }) => !isWhole && countOf(arrivals, client) > 1,
  )
  if (own > 0 || !newest) throw busy()
  newest.ending.abort(busy())
  arrivals.delete(newest)
}

const toCount = (bytes: number) => `${Math.round(bytes / 1_048_576)} MiB`

/** Counts uploads in progress, so that they cannot fill the disk. */
async function makeRoom(
  dir: string,
  { name, bytes, client }: ArrivingFile,
  arrivals: Set<Arrival>,
): Promise<void> {
  const folders = new Set([...arrivals].map(({ folder }) => folder))
  let kept = 0
  for (const one of await readdir(dir)) {
    const path = join(dir, one)
    if (!one.endsWith(ARRIVING)) kept += one === name ? 0 : await readSize(path)
    else if (!folders.has(path)) await rm(path, { recursive: true, force: true })
  }
  if (kept + bytes > PRICE_FILES_MAX_BYTES) {
    throw tooLarge(PRICE_FILES_MAX_BYTES, 'All price files added here have')
  }
  const countBytes = () => [...arrivals].reduce((sum, arrival) => sum + arrival.bytes, 0)
  while (kept + countBytes() + bytes > PRICE_FILES_MAX_BYTES) {
    giveWay(arrivals, countOf(arrivals, client) - 1)
  }
}

/** Uses lstat: a link may point anywhere. */
async function readSize(path: string): Promise<number> {
  try {
    return (await lstat(path)).size
  } catch (error) {
    if (isMissing(error)) return 0
    throw error
  }
}

const tooLarge = (most: number, what: string) =>
  new AppError(
    'payload_too_large',
    `${what} at most ${toCount(most)}: name larger ones in PRICES_CSV.`,
  )

async function write(path: string, { body, bytes, signal }: ArrivingFile): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    let written = 0
    for await (const piece of until(signal, body)) {
      written += piece.byteLength
      if (written > bytes) break
      await file.writeFile(piece)
    }
    if (written !== bytes) {
      throw new AppError('bad_request', 'The upload was incomplete. Nothing was changed.')
    }
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Ends without waiting for the next piece, which may never come. */
async function* until<T>(signal: AbortSignal, pieces: AsyncIterable<T>): AsyncGenerator<T> {
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  ended.catch(() => {})
  signal.throwIfAborted()
  const iterator = pieces[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await Promise.race([iterator.next(), ended])
      if (done) return
      yield value
    }
  } finally {
    void iterator.return?.().catch(() => {})
  }
}

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
    throw new AppError('bad_request', `The file ${toProblem(error)}. Nothing was changed.`)
  }
  if (rows > 0) return
  const why = first === null ? '' : ` (${first})`
  throw new AppError('bad_request', `The file contains no prices${why}. Nothing was changed.`)
}
