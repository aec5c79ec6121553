import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { PriceRow, Prices } from '#lib/archive/prices/prices.ts'
import { selectUnrated } from '#lib/archive/prices/unrated.ts'
import type { ArchiveReader } from '#lib/archive/reader.ts'
import { createPoller } from '#lib/async/poller.ts'
import type { PriceFile, PricesReport } from '#lib/contract/answers/status.ts'
import { AppError } from '#lib/contract/faults.ts'
import { createRejects, NO_REJECTS, type Rejects, toRejectedLines } from '#lib/csv/rejects.ts'
import { isMissing } from '#lib/files/json-file.ts'
import { isOfContent, POLL_SECONDS, toMark, toProblem } from '#lib/sync/file-problems.ts'
import type { Log } from '#lib/sync/sync.ts'
import { type ArrivingFile, createDroppedFiles } from './dropped-files.ts'
import { readPriceFile } from './read-price-file.ts'

export type KeptPrices = {
  report(): PricesReport
  /** The lines that were left out. */
  rejects(): Rejects
  /** The files that have rows, none of which could be read. */
  emptyImports(): string[]
  /** Keeps a file that an operator puts here, and reads it with the others. Throws AppError where it is none of prices. */
  drop(file: ArrivingFile): Promise<void>
  /** Takes such a file away. Throws AppError('not_found') where there is none. */
  remove(name: string): Promise<void>
  /** Resolves when what was found to be new is read. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** Prices of a community that is invented, for as long as nobody names a file. */
export type InventedPrices = {
  /** What they are called where files are named. */
  name: string
  /** Another text for other prices; null while there are none yet. */
  mark(): string | null
  rows(): AsyncIterable<readonly PriceRow[]>
  /** Resolves when there are some. */
  ready: Promise<unknown>
}

type PricesOptions = {
  prices: Prices
  reader: ArchiveReader
  /** Files and folders of files, by their paths. */
  sources: readonly string[]
  invented: InventedPrices | null
  /** The folder of those that operators put here; later than all others. */
  dropped?: string
  benchmark: string | null
  /** Differs for other ratings. */
  generation: () => number
  /** Seconds since 1970. */
  now: () => number
  every: (seconds: number, run: () => void) => () => void
  log: Log
}

/** So often a file may be replaced while it is read. */
const TRIES = 3
const UNRATED_MAX = 20

/** Records of more ratings take hundreds of MB, so they wait for a reader. */
const PREPARED_MAX = 2_000_000

/**
 * Reads the price files and reads them again when one of them is another. What is wrong with one is told and takes nothing else with it; the
 * prices are there whole, or as they were.
 */
export function keepPrices(options: PricesOptions): KeptPrices {
  const { prices, sources, invented, dropped, benchmark, every, log } = options
  const files = dropped === undefined ? null : createDroppedFiles(dropped)
  let known: string | null = null
  let read: ReadPrices = { rejects: NO_REJECTS, emptyImports: [] }
  let judged = ''
  let preparedFor: number | null = null
  const isConfigured = sources.length > 0 || invented !== null
  let report: PricesReport = { ...NOTHING, benchmark, is_configured: isConfigured }
  const readChanged = async (signal: AbortSignal) => {
    const found = [...(await findFiles(sources)), ...(await findDropped(dropped))]
    const mark = found.length === 0 ? invented?.mark() : undefined
    // They are still to come: what is there stands meanwhile.
    if (mark === null) return
    const signature = mark ?? toSignature(found)
    const isNothing = found.length === 0 && mark === undefined
    if (signature === known || (isNothing && prices.state().prices === 0)) return
    const { report: next, ...rest } = await readAll(options, found, signal)
    read = rest
    report = { ...next, benchmark, unrated: report.unrated }
    // One that was replaced meanwhile is found the next time.
    known = signature
    log('prices were read', { rows: report.prices, symbols: report.symbols })
  }
  const findUnrated = async () => {
    const state = `${options.generation()} ${prices.state().version}`
    if (state === judged || prices.state().prices === 0) return
    report = { ...report, unrated: await selectUnrated(options.reader, UNRATED_MAX) }
    judged = state
  }
  let preparing = Promise.resolve()
  // An upload of prices does not wait for it.
  const prepareRecords = (): void => {
    const { version, prices: count } = prices.state()
    if (version === preparedFor || count === 0) return
    if (options.reader.state().ratings > PREPARED_MAX) return
    preparedFor = version
    preparing = options.reader.scores.prepare().catch((error: unknown) => {
      log('records could not be prepared', { why: String(error) })
    })
  }
  const poller = createPoller({
    seconds: POLL_SECONDS,
    every: isConfigured || files !== null ? every : () => () => {},
    poll: async (signal) => {
      try {
        await readChanged(signal)
        await findUnrated()
        prepareRecords()
      } catch (error) {
        if (!signal.aborted) log('prices could not be read', { why: String(error) })
      }
    },
  })
  void invented?.ready.then(poller.poll)
  return {
    report: () => report,
    rejects: () => read.rejects,
    emptyImports: () => read.emptyImports,
    async drop(file) {
      if (files === null) throw nowhere()
      await files.take(file)
      await poller.poll()
    },
    async remove(name) {
      if (files === null) throw nowhere()
      await files.remove(name)
      await poller.poll()
    },
    settled: poller.settled,
    async close() {
      await poller.close()
      await preparing
    },
  }
}

const NOTHING: Omit<PricesReport, 'benchmark' | 'is_configured'> = {
  ...{ prices: 0, symbols: 0, first_day: null, last_day: null, read_at: null },
  ...{ files: [], set_aside: 0, reasons: [], examples: [], doubled: 0, jumps: [], invented: false },
  unrated: { symbols: 0, examples: [] },
}

const nowhere = () => new AppError('not_ready', 'This process keeps no price files.')

type Found = { path: string; mark: string; problem: string | null; isDropped?: boolean }

const ENDING = /\.csv$/i

/** The files that the sources name, in their order; those of a folder by name. */
async function findFiles(sources: readonly string[]): Promise<Found[]> {
  const found: Found[] = []
  for (const source of sources) {
    try {
      const isFolder = (await stat(source)).isDirectory()
      const names = isFolder
        ? (await readdir(source)).filter((name) => ENDING.test(name)).sort()
        : []
      const paths = isFolder ? names.map((name) => join(source, name)) : [source]
      if (paths.length === 0) found.push({ path: source, mark: '', problem: 'holds no CSV file' })
      for (const path of paths) found.push(await findOne(path))
    } catch (error) {
      found.push({ path: source, mark: '', problem: toProblem(error) })
    }
  }
  return found
}

/** What is wrong with one file of a folder says nothing of the others. What is no file, such as a pipe, may never end. */
async function findOne(path: string): Promise<Found> {
  try {
    const mark = await toMark(path)
    return { path, mark, problem: (await stat(path)).isFile() ? null : 'is no file' }
  } catch (error) {
    return { path, mark: '', problem: toProblem(error) }
  }
}

/** The files that operators put here; there may be none, and no folder of them. */
async function findDropped(folder: string | undefined): Promise<Found[]> {
  if (folder === undefined) return []
  try {
    const names = (await readdir(folder)).filter((name) => ENDING.test(name)).sort()
    const paths = names.map((name) => join(folder, name))
    const found = await Promise.all(paths.map(findOne))
    return found.map((one) => ({ ...one, isDropped: true }))
  } catch (error) {
    if (isMissing(error)) return []
    return [{ path: folder, mark: '', problem: toProblem(error) }]
  }
}

type ReadPrices = { rejects: Rejects; emptyImports: string[] }

const toSignature = (found: readonly Found[]) =>
  found.map(({ path, mark, problem }) => `${path} ${mark} ${problem}`).join('\n')

async function readAll(
  { prices, invented, now }: PricesOptions,
  found: readonly Found[],
  signal: AbortSignal,
): Promise<ReadPrices & { report: Omit<PricesReport, 'benchmark' | 'unrated'> }> {
  const files: PriceFile[] = []
  const emptyImports: string[] = []
  const rejects = createRejects()
  const outcome = await prices.replace(async (append) => {
    for (const { path, problem, isDropped: is_dropped = false } of found) {
      const file = basename(path)
      if (problem !== null) files.push({ file, is_dropped, rows: 0, set_aside: 0, problem })
      else {
        const { isEmptyImport, ...one } = await readOne({ path, append, rejects, signal })
        files.push({ ...one, is_dropped })
        if (isEmptyImport) emptyImports.push(file)
      }
    }
    if (found.length === 0 && invented) files.push(await takeInvented(invented, append, signal))
  })
  const { doubled, jumps } = outcome
  const { prices: rows, symbols, firstDay, lastDay } = prices.state()
  const report = {
    ...toRejectedLines(rejects.read()),
    prices: rows,
    symbols,
    files,
    doubled,
    read_at: now(),
    is_configured: files.length > 0,
    invented: files.length > 0 && found.length === 0,
    first_day: toDayText(firstDay),
    last_day: toDayText(lastDay),
    jumps: jumps.map(({ symbol, day, factor }) => ({ symbol, date: toDayText(day) ?? '', factor })),
  }
  return { report, rejects: rejects.read(), emptyImports }
}

async function takeInvented(
  { name, rows: given }: InventedPrices,
  append: Reading['append'],
  signal: AbortSignal,
): Promise<PriceFile> {
  let rows = 0
  for await (const batch of given()) {
    signal.throwIfAborted()
    await append(batch)
    rows += batch.length
  }
  return { file: name, is_dropped: false, rows, set_aside: 0, problem: null }
}

const DAY_MS = 86_400_000
const toDayText = (day: number | null) =>
  day === null ? null : new Date(day * DAY_MS).toISOString().slice(0, 10)

type Reading = {
  path: string
  append: (rows: readonly PriceRow[]) => Promise<void>
  rejects: ReturnType<typeof createRejects>
  signal: AbortSignal
}

/** One file; read again if it is replaced meanwhile, since later rows win over earlier ones. */
async function readOne({
  path,
  append,
  rejects,
  signal,
}: Reading): Promise<Omit<PriceFile, 'is_dropped'> & { isEmptyImport: boolean }> {
  const file = basename(path)
  for (let tries = 1; ; tries += 1) {
    let rows = 0
    const own = createRejects()
    const finish = (problem: string | null, isContent: boolean) => {
      const rejected = own.read()
      rejects.addAll(rejected)
      const isEmptyImport = rows === 0 && (isContent || rejected.total > 0)
      return { file, rows, set_aside: rejected.total, problem, isEmptyImport }
    }
    try {
      const mark = await toMark(path)
      for await (const batch of readPriceFile(path, signal)) {
        await append(batch.rows)
        rows += batch.rows.length
        own.add(file, batch.rejected)
      }
      if ((await toMark(path)) !== mark && tries < TRIES) continue
      return finish(null, false)
    } catch (error) {
      if (signal.aborted) throw error
      return finish(toProblem(error), isOfContent(error))
    }
  }
}
