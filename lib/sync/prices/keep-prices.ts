import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { PriceFlag } from '#lib/archive/prices/price-flags.ts'
import type { PriceRow, Prices, PricesState } from '#lib/archive/prices/prices.ts'
import { selectUnrated } from '#lib/archive/prices/unrated.ts'
import type { ArchiveReader } from '#lib/archive/reader.ts'
import { createPoller } from '#lib/async/poller.ts'
import type { PriceFile, PricesReport } from '#lib/contract/answers/status.ts'
import { isDiskFull } from '#lib/contract/disk-faults.ts'
import { AppError } from '#lib/contract/faults.ts'
import { toDayText } from '#lib/contract/instant-text.ts'
import { createRejects, NO_REJECTS, type Rejects, toRejectedLines } from '#lib/csv/rejects.ts'
import { isMissing } from '#lib/files/json-file.ts'
import {
  createSteadyCheck,
  HalfWritten,
  isOfContent,
  POLL_SECONDS,
  refuseHalfWritten,
  toMark,
  toProblem,
} from '#lib/sync/file-problems.ts'
import type { Log } from '#lib/sync/sync.ts'
import { type ArrivingFile, createDroppedFiles } from './dropped-files.ts'
import { readPriceFile } from './read-price-file.ts'

export type KeptPrices = {
  report(): PricesReport
  rejects(): Rejects
  emptyImports(): string[]
  drop(file: ArrivingFile): Promise<void>
  remove(name: string): Promise<void>
  settled(): Promise<void>
  close(): Promise<void>
}

export type InventedPrices = {
  name: string
  mark(): string | null
  rows(): AsyncIterable<readonly PriceRow[]>
  ready: Promise<unknown>
}

type PricesOptions = {
  prices: Prices
  reader: ArchiveReader
  sources: readonly string[]
  invented: InventedPrices | null
  /** Overrides all other sources. */
  dropped?: string
  benchmark: string | null
  generation: () => number
  /** Unix seconds. */
  now: () => number
  every: (seconds: number, run: () => void) => () => void
  log: Log
}

const TRIES = 3
const UNRATED_MAX = 20

/** Above this, track records take hundreds of MB. */
const PREPARED_MAX = 2_000_000

/** All prices are replaced at once or not at all. */
export function keepPrices(options: PricesOptions): KeptPrices {
  const { prices, sources, invented, dropped, benchmark, every, log, now } = options
  const files = dropped === undefined ? null : createDroppedFiles(dropped)
  let known: string | null = null
  let read: ReadPrices = { rejects: NO_REJECTS, emptyImports: [] }
  let unread: Partial<PricesReport> = {}
  let hasFailed = false
  let judged = ''
  let preparedFor: number | null = null
  const isConfigured = sources.length > 0 || invented !== null
  let report: PricesReport = { ...NOTHING, benchmark, is_configured: isConfigured }
  const refuseGrowing = createSteadyCheck(now)
  const readFound = async (found: readonly PriceFileEntry[], signal: AbortSignal) => {
    const mark = found.length === 0 ? invented?.mark() : undefined
    if (mark === null) return
    const signature = mark ?? toSignature(found)
    const isNothing = found.length === 0 && mark === undefined
    if (signature === known || (isNothing && prices.state().prices === 0)) return
    await refuseGrowing(found.filter(isGrowable))
    const { report: next, ...rest } = await readAll(options, found, signal)
    read = rest
    report = { ...next, benchmark, unrated: report.unrated }
    known = signature
    log('prices were read', { rows: report.prices, symbols: report.symbols })
  }
  const readChanged = async (signal: AbortSignal) => {
    const found = [...(await findFiles(sources)), ...(await findDropped(dropped))]
    try {
      await readFound(found, signal)
      unread = {}
      hasFailed = false
    } catch (error) {
      if (signal.aborted) return
      hasFailed = !(error instanceof HalfWritten)
      unread = { ...toUnread(report, found, prices.state()), problem: toWhy(error) }
      log('prices could not be read', { why: String(error) })
    }
  }
  const findUnrated = async () => {
    const state = `${options.generation()} ${prices.state().version}`
    if (state === judged || prices.state().prices === 0) return
    report = { ...report, unrated: await selectUnrated(options.reader, UNRATED_MAX) }
    judged = state
  }
  let preparing = Promise.resolve()
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
        if (!signal.aborted) log('prices could not be judged', { why: String(error) })
      }
    },
  })
  void invented?.ready.then(poller.poll)
  const pollNow = async (done: string) => {
    await poller.poll()
    if (hasFailed) throw new AppError('not_ready', `${done}, but: ${unread.problem}`)
  }
  return {
    report: () => ({ ...report, ...unread }),
    rejects: () => read.rejects,
    emptyImports: () => (hasFailed ? [...read.emptyImports, 'the price files'] : read.emptyImports),
    async drop(file) {
      if (files === null) throw nowhere()
      await files.take(file)
      await pollNow('The file is stored')
    },
    async remove(name) {
      if (files === null) throw nowhere()
      await files.remove(name)
      await pollNow('The file is removed')
    },
    settled: poller.settled,
    async close() {
      await poller.close()
      await preparing
    },
  }
}

const NOTHING: Omit<PricesReport, 'benchmark' | 'is_configured'> = {
  prices: 0,
  symbols: 0,
  first_day: null,
  last_day: null,
  read_at: null,
  problem: null,
  files: [],
  set_aside: 0,
  reasons: [],
  examples: [],
  doubled: 0,
  spikes: [],
  jumps: [],
  invented: false,
  unrated: { symbols: 0, examples: [] },
}

function toWhy(error: unknown): string {
  if (error instanceof HalfWritten) return `${error.file} ${error.message}.`
  const why = isDiskFull(error) ? 'the disk is full' : 'the database failed, see the log'
  return `The prices could not be read: ${why}. They are read again every ${POLL_SECONDS} seconds.`
}

/** Of files that were found and not read. The prices read earlier are in use. */
function toUnread(
  { files }: PricesReport,
  found: readonly PriceFileEntry[],
  state: PricesState,
): Partial<PricesReport> {
  const names = new Set(files.map(({ file }) => file))
  const others = found.filter(({ path }) => !names.has(basename(path)))
  const unread = others.map(({ path, isDropped = false }) => ({
    file: basename(path),
    is_dropped: isDropped,
    rows: 0,
    set_aside: 0,
    problem: 'was not read yet',
  }))
  return { ...toExtent(state), is_configured: true, files: [...files, ...unread] }
}

const toExtent = ({ prices, symbols, firstDay, lastDay }: PricesState) => ({
  prices,
  symbols,
  first_day: firstDay === null ? null : toDayText(firstDay),
  last_day: lastDay === null ? null : toDayText(lastDay),
})

const nowhere = () => new AppError('not_ready', 'This process has no price files.')

type PriceFileEntry = { path: string; mark: string; problem: string | null; isDropped?: boolean }

const ENDING = /\.csv$/i

/** Uploads are written whole. */
const isGrowable = ({ problem, isDropped }: PriceFileEntry) => problem === null && !isDropped

async function findFiles(sources: readonly string[]): Promise<PriceFileEntry[]> {
  const found: PriceFileEntry[] = []
  for (const source of sources) {
    try {
      const isFolder = (await stat(source)).isDirectory()
      const names = isFolder
        ? (await readdir(source)).filter((name) => ENDING.test(name)).sort()
        : []
      const paths = isFolder ? names.map((name) => join(source, name)) : [source]
      if (paths.length === 0)
        found.push({ path: source, mark: '', problem: 'contains no CSV file' })
      for (const path of paths) found.push(await findOne(path))
    } catch (error) {
      found.push({ path: source, mark: '', problem: toProblem(error) })
    }
  }
  return found
}

/** Reading a pipe may never end. */
async function findOne(path: string): Promise<PriceFileEntry> {
  try {
    const mark = await toMark(path)
    return { path, mark, problem: (await stat(path)).isFile() ? null : 'is not a file' }
  } catch (error) {
    return { path, mark: '', problem: toProblem(error) }
  }
}

async function findDropped(folder: string | undefined): Promise<PriceFileEntry[]> {
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

const toSignature = (found: readonly PriceFileEntry[]) =>
  found.map(({ path, mark, problem }) => `${path} ${mark} ${problem}`).join('\n')

async function readAll(
  { prices, invented, now }: PricesOptions,
  found: readonly PriceFileEntry[],
  signal: AbortSignal,
): Promise<ReadPrices & { report: Omit<PricesReport, 'benchmark' | 'unrated'> }> {
  const files: PriceFile[] = []
  const emptyImports: string[] = []
  const rejects = createRejects()
  const outcome = await prices.replace(async (append) => {
    for (const entry of found) {
      const { path, problem, isDropped: is_dropped = false } = entry
      const file = basename(path)
      if (problem !== null) files.push({ file, is_dropped, rows: 0, set_aside: 0, problem })
      else {
        const { isEmptyImport, ...one } = await readOne({ entry, append, rejects, signal })
        files.push({ ...one, is_dropped })
        if (isEmptyImport) emptyImports.push(file)
      }
    }
    if (found.length === 0 && invented) files.push(await takeInvented(invented, append, signal))
  })
  const { doubled, spikes, jumps } = outcome
  const report = {
    ...toRejectedLines(rejects.read()),
    ...toExtent(prices.state()),
    files,
    doubled,
    problem: null,
    read_at: now(),
    is_configured: files.length > 0,
    invented: files.length > 0 && found.length === 0,
    spikes: spikes.map(toFlag),
    jumps: jumps.map(toFlag),
  }
  return { report, rejects: rejects.read(), emptyImports }
}

const toFlag = ({ symbol, day, factor }: PriceFlag) => ({
  symbol,
  date: toDayText(day),
  factor,
})

async function takeInvented(
  { name, rows: given }: InventedPrices,
  append: PriceFileImport['append'],
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

type PriceFileImport = {
  entry: PriceFileEntry
  append: (rows: readonly PriceRow[]) => Promise<void>
  rejects: ReturnType<typeof createRejects>
  signal: AbortSignal
}

/** Reread if replaced meanwhile: later rows override earlier ones. */
async function readOne({
  entry,
  append,
  rejects,
  signal,
}: PriceFileImport): Promise<Omit<PriceFile, 'is_dropped'> & { isEmptyImport: boolean }> {
  const { path } = entry
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
      const after = await toMark(path)
      if (after !== mark && tries < TRIES) continue
      if (after !== entry.mark && isGrowable(entry)) await refuseHalfWritten(path)
      return finish(null, false)
    } catch (error) {
      if (signal.aborted || error instanceof HalfWritten) throw error
      return finish(toProblem(error), isOfContent(error))
    }
  }
}
