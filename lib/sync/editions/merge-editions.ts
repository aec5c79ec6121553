import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { StepProgress } from '#lib/contract/answers/status.ts'
import type { KeptEdition } from '#lib/sync/sync.ts'
import {
  type Cursor,
  compareKeys,
  type Key,
  NotPlain,
  openCursor,
  type Reading,
  toIdKey,
  Unordered,
} from './record-cursor.ts'

/** A file of records, as an edition tells of it. */
export type Side = Pick<KeptEdition, 'path' | 'rows' | 'columns'>

/** The cells of a record, and where that of each column stands among them. */
export type Cells = { cells: readonly string[]; places: ReadonlyMap<string, number> }

/** The cell of a column; empty where the record is too short or there is no such column. */
export const cellOf = ({ cells, places }: Cells, name: string): string =>
  cells[places.get(name) ?? -1] ?? ''

/** A record that only one edition has, or that both have with other cells under the `names` that both share. */
export type Difference =
  | { what: 'added'; after: Cells; wasThere: boolean }
  | { what: 'changed'; before: Cells; after: Cells; names: readonly string[] }
  | { what: 'gone'; before: Cells }

export type Comparing = {
  before: Side
  after: Side
  /** Earlier editions: what is added is looked for in them. */
  earlier?: readonly (Side & Pick<KeptEdition, 'ids'>)[]
  /** A folder that is there while it runs. */
  spillPath: string
  signal: AbortSignal
  onProgress?: (progress: StepProgress) => void
  /** Told anew from the beginning where a file turns out to be another than it seemed. */
  onBegin?: () => Promise<void>
  /** What it gives is waited for. */
  onDifference?: (difference: Difference) => Promise<void> | undefined
}

export type Counts = { added: number; changed: number; gone: number }

/**
 * What differs between two editions, by the columns that both have, in order of their records. Records are found again by `id`
 * where both files have such a column, the last of an id counting; otherwise by their text, as often as it occurs, and then none
 * is changed. Both files are walked side by side: a file whose ids do not only grow is put in order first, one that is not plain
 * is parsed. Throws what the file system or the database says, the reason of an abort, or AppError where a file is no CSV any
 * more.
 */
export async function compareEditions(comparing: Comparing): Promise<Counts> {
  const { spillPath, signal } = comparing
  signal.throwIfAborted()
  const files = new Map<Side, Manner>()
  try {
    for (;;) {
      const opened: Opened = []
      try {
        await comparing.onBegin?.()
        return await walk(comparing, files, opened)
      } catch (error) {
        if (!(error instanceof Failing)) throw error
        files.set(error.side, toNext(files.get(error.side) ?? AS_IT_LIES, error.cause))
      } finally {
        for (const { cursor } of opened) await cursor.close()
      }
    }
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    await rm(spillPath, { recursive: true, force: true })
  }
}

/** How a file has to be read, as far as is known. */
type Manner = Pick<Reading, 'isPlain' | 'isSorted'>

const AS_IT_LIES: Manner = { isPlain: true, isSorted: false }

const toNext = (manner: Manner, cause: unknown): Manner =>
  cause instanceof NotPlain ? { ...manner, isPlain: false } : { ...manner, isSorted: true }

/** A file has to be read in another way: then everything begins anew. */
class Failing extends Error {
  side: Side
  constructor(side: Side, cause: unknown) {
    super('a file has to be read in another way', { cause })
    this.side = side
  }
}

type Walked = { side: Side; cursor: Cursor }
type Opened = Walked[]

/** Runs a step of a file's cursor. Throws {@link Failing} where it has to be read in another way. */
async function step<T>(side: Side, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toFailing(side, error)
  }
}

const toFailing = (side: Side, error: unknown): unknown =>
  error instanceof NotPlain || error instanceof Unordered ? new Failing(side, error) : error

function createOpener(comparing: Comparing, files: ReadonlyMap<Side, Manner>, opened: Opened) {
  const { before, after, spillPath, signal, onProgress } = comparing
  const names = selectShared(before, after)
  const isById = names.includes('id')
  const total = before.rows + after.rows
  let done = 0
  return {
    names,
    async open(side: Side): Promise<Walked> {
      const manner = files.get(side) ?? AS_IT_LIES
      const isOfTwo = side === before || side === after
      const reading: Reading = {
        ...{ ...manner, path: side.path, signal, isUnique: isById },
        isSorted: manner.isSorted || !isById,
        spillPath: join(spillPath, String(opened.length)),
        toKey: isById ? toIdOf : (cells, header) => toTextKey(cells, header, names),
        tell(records) {
          if (!isOfTwo || records === 0) return
          done += records
          onProgress?.({ step: 'comparing', done, total, unit: 'rows' })
        },
      }
      const cursor = await step(side, async () => await openCursor(reading))
      const walked = { side, cursor }
      opened.push(walked)
      return walked
    },
  }
}

const toIdOf: Reading['toKey'] = (cells, header) => toIdKey(cells[header.indexOf('id')] ?? '')

const toTextKey = (
  cells: readonly string[],
  header: readonly string[],
  names: readonly string[],
): Key => JSON.stringify(names.map((name) => cells[header.indexOf(name)] ?? ''))

function selectShared(before: Side, after: Side): string[] {
  const names = new Set(after.columns.map(({ name }) => name))
  return before.columns.map(({ name }) => name).filter((name) => names.has(name))
}

/** Loads what is at hand next; false where nothing is left. */
async function settle({ side, cursor }: Walked): Promise<boolean> {
  while (cursor.key === null && !cursor.isOver) await step(side, async () => await cursor.load())
  return !cursor.isOver
}

/** Goes on to the next record of a file. */
function next({ side, cursor }: Walked): void {
  try {
    cursor.next()
  } catch (error) {
    throw toFailing(side, error)
  }
}

async function walk(
  comparing: Comparing,
  files: ReadonlyMap<Side, Manner>,
  opened: Opened,
): Promise<Counts> {
  const { onDifference, earlier = [] } = comparing
  const opener = createOpener(comparing, files, opened)
  const before = await opener.open(comparing.before)
  const after = await opener.open(comparing.after)
  const presence = onDifference ? createPresence(earlier, opener.open) : null
  const isAlike = createLikeness(before.cursor, after.cursor, opener.names)
  const counts: Counts = { added: 0, changed: 0, gone: 0 }
  for (;;) {
    if (before.cursor.key === null && !before.cursor.isOver) await settle(before)
    if (after.cursor.key === null && !after.cursor.isOver) await settle(after)
    const [old, young] = [before.cursor.key, after.cursor.key]
    if (old === null && young === null) break
    const order = old === null ? 1 : young === null ? -1 : toOrder(old, young)
    if (order === 0) {
      if (!isAlike()) {
        const difference = toChanged(before.cursor, after.cursor, opener.names)
        counts.changed += difference.names.length > 0 ? 1 : 0
        if (difference.names.length > 0) await onDifference?.(difference)
      }
      next(before)
      next(after)
    } else if (order < 0) {
      counts.gone += 1
      await onDifference?.({ what: 'gone', before: toCells(before.cursor) })
      next(before)
    } else {
      counts.added += 1
      const added = { what: 'added' as const, after: toCells(after.cursor) }
      if (presence && young !== null) {
        await onDifference?.({ ...added, wasThere: await presence.has(young) })
      }
      next(after)
    }
  }
  await presence?.prove()
  return counts
}

const toOrder = (a: Key, b: Key): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : compareKeys(a, b)

/** Whether two records are the same to the byte, where that can be asked: most are. */
function createLikeness(before: Cursor, after: Cursor, names: readonly string[]): () => boolean {
  const isAsked =
    before.form !== null && before.form === after.form && names.length === after.header().length
  if (!isAsked) return () => false
  return () => {
    const [old, young] = [before.line(), after.line()]
    return (
      old.end - old.start === young.end - young.start &&
      old.bytes.compare(young.bytes, young.start, young.end, old.start, old.end) === 0
    )
  }
}

function toChanged(old: Cursor, young: Cursor, shared: readonly string[]) {
  const [before, after] = [toCells(old), toCells(young)]
  const names = shared.filter((name) => cellOf(before, name) !== cellOf(after, name))
  return { what: 'changed' as const, before, after, names }
}

const toCells = (cursor: Cursor): Cells => ({ cells: cursor.cells(), places: toPlaces(cursor) })

const PLACES = new WeakMap<Cursor, ReadonlyMap<string, number>>()

/** Of each column, where its cell stands. Asked once a record, and the same for all of a file. */
function toPlaces(cursor: Cursor): ReadonlyMap<string, number> {
  const known = PLACES.get(cursor)
  if (known) return known
  const places = new Map(cursor.header().map((name, index) => [name, index]))
  PLACES.set(cursor, places)
  return places
}

type Earlier = Side & Pick<KeptEdition, 'ids'>

type Presence = {
  /** Whether an earlier edition has a record too. Asked for keys that grow. */
  has(key: Key): Promise<boolean>
  /** Reads to its end what was asked: what was said holds only where its keys grow to the last. */
  prove(): Promise<void>
}

/** A file is opened when a key could stand in it, which that of a new rating hardly ever could. */
function createPresence(
  earlier: readonly Earlier[],
  open: (side: Side) => Promise<Walked>,
): Presence {
  const files = earlier.map((side) => ({ side, walked: null as Walked | null }))
  const isIn = async (file: (typeof files)[number], key: Key) => {
    const { ids } = file.side
    if (ids && typeof key === 'number' && (key < ids.lowest || key > ids.highest)) return false
    file.walked ??= await open(file.side)
    const { walked } = file
    while (await settle(walked)) {
      const order = walked.cursor.key === null ? 1 : toOrder(walked.cursor.key, key)
      if (order >= 0) return order === 0
      next(walked)
    }
    return false
  }
  return {
    async has(key) {
      for (const file of files) if (await isIn(file, key)) return true
      return false
    },
    async prove() {
      for (const { walked } of files) while (walked && (await settle(walked))) next(walked)
    },
  }
}
