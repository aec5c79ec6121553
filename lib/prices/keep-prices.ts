import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { PriceRow, Prices } from '#lib/archive/prices/prices.ts'
import type { PriceFile, PricesReport } from '#lib/contract/answers/status.ts'
import { AppError } from '#lib/contract/faults.ts'
import { createWatch } from '#lib/contract/watch.ts'
import { isMissing } from '#lib/files/json-file.ts'
import type { Log } from '#lib/sync/sync.ts'
import { LOOK_SECONDS, toMark, toProblem } from './csv-file.ts'
import { type ArrivingFile, createDroppedFiles } from './dropped-files.ts'
import { readPriceFile } from './read-price-file.ts'

export type KeptPrices = {
  report(): PricesReport
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
  /** Files and folders of files, by their paths. */
  sources: readonly string[]
  invented: InventedPrices | null
  /** The folder of those that operators put here; later than all others. */
  dropped?: string
  benchmark: string | null
  /** Seconds since 1970. */
  now: () => number
  every: (seconds: number, run: () => void) => () => void
  log: Log
}

/** So often a file may be replaced while it is read. */
const TRIES = 3
const EXAMPLES_MAX = 20

/**
 * Reads the price files and reads them again when one of them is another. What is wrong with one is told and takes nothing else with it; the
 * prices are there whole, or as they were.
 */
export function keepPrices(options: PricesOptions): KeptPrices {
  const { prices, sources, invented, dropped, benchmark, every, log } = options
  const files = dropped === undefined ? null : createDroppedFiles(dropped)
  let known: string | null = null
  const isConfigured = sources.length > 0 || invented !== null
  let report: PricesReport = { ...NOTHING, benchmark, is_configured: isConfigured }
  const look = async (signal: AbortSignal) => {
    const found = [...(await findFiles(sources)), ...(await findDropped(dropped))]
    const mark = found.length === 0 ? invented?.mark() : undefined
    // They are still to come: what is there stands meanwhile.
    if (mark === null) return
    const signature = mark ?? toSignature(found)
    const isNothing = found.length === 0 && mark === undefined
    if (signature === known || (isNothing && prices.state().prices === 0)) return
    report = { ...(await readAll(options, found, signal)), benchmark }
    // One that was replaced meanwhile is found the next time.
    known = signature
    log('prices were read', { rows: report.prices, symbols: report.symbols })
  }
  const watch = createWatch({
    seconds: LOOK_SECONDS,
    every: isConfigured || files !== null ? every : () => () => {},
    look: async (signal) =>
      await look(signal).catch((error: unknown) => {
        if (!signal.aborted) log('prices could not be read', { why: String(error) })
      }),
  })
  void invented?.ready.then(watch.look)
  return {
    report: () => report,
    async drop(file) {
      if (files === null) throw nowhere()
      await files.take(file)
      await watch.look()
    },
    async remove(name) {
      if (files === null) throw nowhere()
      await files.remove(name)
      await watch.look()
    },
    settled: watch.settled,
    close: watch.close,
  }
}

const NOTHING: Omit<PricesReport, 'benchmark' | 'is_configured'> = {
  ...{ prices: 0, symbols: 0, first_day: null, last_day: null, read_at: null },
  ...{ files: [], set_aside: 0, examples: [], doubled: 0, jumps: [], invented: false },
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

const toSignature = (found: readonly Found[]) =>
  found.map(({ path, mark, problem }) => `${path} ${mark} ${problem}`).join('\n')

async function readAll(
  { prices, invented, now }: PricesOptions,
  found: readonly Found[],
  signal: AbortSignal,
): Promise<Omit<PricesReport, 'benchmark'>> {
  const files: PriceFile[] = []
  const examples: PricesReport['examples'] = []
  const outcome = await prices.replace(async (append) => {
    for (const { path, problem, isDropped: is_dropped = false } of found) {
      const file = basename(path)
      if (problem !== null) files.push({ file, is_dropped, rows: 0, set_aside: 0, problem })
      else files.push({ ...(await readOne({ path, append, examples, signal })), is_dropped })
    }
    if (found.length === 0 && invented) files.push(await takeInvented(invented, append, signal))
  })
  const setAside = files.reduce((sum, file) => sum + file.set_aside, 0)
  const { doubled, jumps } = outcome
  const { prices: rows, symbols, firstDay, lastDay } = prices.state()
  return {
    ...{ prices: rows, symbols, files, set_aside: setAside, examples, doubled, read_at: now() },
    ...{
      is_configured: files.length > 0,
      invented: files.length > 0 && found.length === 0,
      first_day: toDayText(firstDay),
      last_day: toDayText(lastDay),
    },
    jumps: jumps.map(({ symbol, day, factor }) => ({ symbol, date: toDayText(day) ?? '', factor })),
  }
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
  examples: PricesReport['examples']
  signal: AbortSignal
}

/** One file; read anew where it was replaced meanwhile, since later rows win over earlier ones. */
async function readOne({
  path,
  append,
  examples,
  signal,
}: Reading): Promise<Omit<PriceFile, 'is_dropped'>> {
  const file = basename(path)
  for (let tries = 1; ; tries += 1) {
    let [rows, setAside] = [0, 0]
    try {
      const mark = await toMark(path)
      const own: PricesReport['examples'] = []
      for await (const batch of readPriceFile(path, signal)) {
        await append(batch.rows)
        rows += batch.rows.length
        setAside += batch.rejected.length
        own.push(
          ...batch.rejected.slice(0, EXAMPLES_MAX - own.length).map((one) => ({ file, ...one })),
        )
      }
      if ((await toMark(path)) !== mark && tries < TRIES) continue
      examples.push(...own.slice(0, Math.max(0, EXAMPLES_MAX - examples.length)))
      return { file, rows, set_aside: setAside, problem: null }
    } catch (error) {
      if (signal.aborted) throw error
      return { file, rows, set_aside: setAside, problem: toProblem(error) }
    }
  }
}
