import { basename } from 'node:path'
import { createPoller } from '#lib/async/poller.ts'
import type { NamesReport } from '#lib/contract/answers/status.ts'
import { toSearchKey, toSymbolKey } from '#lib/contract/rating-fields.ts'
import { findColumn } from '#lib/csv/columns.ts'
import { type Reject, shortenValue } from '#lib/csv/csv-error.ts'
import { readCsvFile } from '#lib/csv/read-csv-file.ts'
import { createRejects, NO_REJECTS, type Rejects, toRejectedLines } from '#lib/csv/rejects.ts'
import {
  createSteadyCheck,
  HalfWritten,
  isOfContent,
  POLL_SECONDS,
  refuseHalfWritten,
  toMark,
  toProblem,
  unreadable,
} from '#lib/sync/file-problems.ts'
import type { Log } from '#lib/sync/sync.ts'

/** Untrusted texts of at most {@link NAME_MAX_LENGTH} characters. */
export type KeptNames = {
  version(): number
  of(symbol: string): string | null
  sectorOf(symbol: string): string | null
  find(text: string): string[]
  report(): NamesReport
  rejects(): Rejects
  emptyImports(): string[]
  settled(): Promise<void>
  close(): Promise<void>
}

type NamesOptions = {
  /** CSV with `symbol`, `name` and optionally `sector`. */
  source: string | null
  /** Used without a source. */
  invented: ReadonlyMap<string, SymbolName> | null
  /** Unix seconds. */
  now: () => number
  every: (seconds: number, run: () => void) => () => void
  log: Log
}

type SymbolName = { name: string; sector: string | null }

export const NAME_MAX_LENGTH = 80
const NAMES_MAX = 200_000
const TRIES = 3

export function keepNames({ source, invented, now, every, log }: NamesOptions): KeptNames {
  let names: Names = toNames((source === null && invented) || new Map())
  let version = 0
  let known: string | null = null
  let rejects = NO_REJECTS
  let emptyImports: string[] = []
  let report: NamesReport = { ...NOTHING, is_configured: source !== null }
  const refuseGrowing = createSteadyCheck(now)
  const poll = async (path: string, signal: AbortSignal) => {
    const file = basename(path)
    const mark = await toMark(path).catch((error: unknown) => toProblem(error))
    if (mark === known) return
    try {
      await refuseGrowing([{ path, mark }])
      const read = await readWhole({ path, mark }, signal)
      names = toNames(read.names)
      version += 1
      rejects = read.rejects
      emptyImports = names.known.size === 0 && rejects.total > 0 ? [file] : []
      report = {
        is_configured: true,
        file,
        names: names.known.size,
        read_at: now(),
        problem: null,
        ...toRejectedLines(rejects),
      }
      log('names of symbols were read', { names: names.known.size })
    } catch (error) {
      if (signal.aborted) return
      report = { ...report, file, problem: toProblem(error) }
      if (error instanceof HalfWritten) return
      emptyImports = isOfContent(error) ? [file] : []
    }
    known = mark
  }
  const poller =
    source === null
      ? null
      : createPoller({ seconds: POLL_SECONDS, every, poll: (signal) => poll(source, signal) })
  return {
    version: () => version,
    of: (symbol) => names.known.get(toSymbolKey(symbol))?.name ?? null,
    sectorOf: (symbol) => names.known.get(toSymbolKey(symbol))?.sector ?? null,
    find: (text) => findNamed(names, text),
    report: () => report,
    rejects: () => rejects,
    emptyImports: () => emptyImports,
    settled: async () => await poller?.settled(),
    close: async () => await poller?.close(),
  }
}

const NOTHING: NamesReport = {
  is_configured: false,
  file: null,
  names: 0,
  read_at: null,
  problem: null,
  set_aside: 0,
  reasons: [],
  examples: [],
}

type Read = { names: Map<string, SymbolName>; rejects: Rejects }

type Marked = { path: string; mark: string }

async function readWhole(found: Marked, signal: AbortSignal): Promise<Read> {
  const { path } = found
  for (let tries = 1; ; tries += 1) {
    const mark = await toMark(path)
    const read = await readNames(path, signal)
    const after = await toMark(path)
    if (after !== mark && tries < TRIES) continue
    if (after !== found.mark) await refuseHalfWritten(path)
    return read
  }
}

async function readNames(path: string, signal: AbortSignal): Promise<Read> {
  const names = new Map<string, SymbolName>()
  const rejects = createRejects()
  const file = basename(path)
  for await (const { header, records } of readCsvFile(path, signal)) {
    const { symbolAt, nameAt, sectorAt } = selectColumns(header)
    const rejected: Reject[] = []
    for (const { line, cells, problem } of records) {
      const [symbol, name] = [(cells[symbolAt] ?? '').trim(), (cells[nameAt] ?? '').trim()]
      if (problem === null && symbol !== '' && name !== '') {
        const sector = sectorAt === undefined ? '' : (cells[sectorAt] ?? '').trim()
        names.set(toSymbolKey(symbol), {
          name: shorten(name),
          sector: sector === '' ? null : shorten(sector),
        })
        continue
      }
      const at = symbol === '' ? symbolAt : nameAt
      const column = problem === null ? (header[at] ?? null) : null
      const reason = problem ?? (symbol === '' ? 'has no symbol' : 'has no name')
      rejected.push({ line, column, value: shortenValue(cells.join(',')), reason })
    }
    rejects.add(file, rejected)
    if (names.size > NAMES_MAX) throw unreadable(`has more than ${NAMES_MAX} names`)
  }
  return { names, rejects: rejects.read() }
}

type Columns = { symbolAt: number; nameAt: number; sectorAt: number | undefined }

function selectColumns(header: readonly string[]): Columns {
  const find = (names: readonly string[]) => {
    const { at, double } = findColumn(header, names)
    if (double !== null) throw unreadable(`has two columns “${double}”`)
    return at
  }
  const require = (names: readonly string[]) => {
    const at = find(names)
    if (at === undefined) throw unreadable(`has no column “${names[0]}”`)
    return at
  }
  return {
    symbolAt: require(['symbol', 'ticker']),
    nameAt: require(NAME_COLUMNS),
    sectorAt: find(['sector', 'gicssector']),
  }
}

const NAME_COLUMNS = ['name', 'companyname', 'securityname', 'company', 'description']

function shorten(name: string): string {
  const letters = [...name]
  return letters.length <= NAME_MAX_LENGTH
    ? name
    : `${letters
        .slice(0, NAME_MAX_LENGTH - 1)
        .join('')
        .trimEnd()}…`
}

type Names = {
  known: ReadonlyMap<string, SymbolName>
  words: readonly [key: string, text: string][]
}

const toNames = (known: ReadonlyMap<string, SymbolName>): Names => ({
  known,
  words: [...known].map(([key, { name }]) => [key, toPlain(name)]),
})

/** `T. Rowe Price` becomes ` T ROWE PRICE`. */
const toPlain = (text: string) =>
  ` ${toSearchKey(text)
    .replace(/['’.]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()}`

/** A shorter text must match a whole word, such as `3M`. */
const BEGINNING_LEAST = 3

function findNamed({ words }: Names, text: string): string[] {
  const sought = toPlain(text)
  const letters = sought.length - 1
  if (letters === 0) return []
  return words.flatMap(([key, name]) => {
    const isFound =
      letters < BEGINNING_LEAST ? `${name} `.includes(`${sought} `) : name.includes(sought)
    return isFound ? [key] : []
  })
}
