import { ApiError } from '#lib/client/api-error.ts'
import type { TableSet } from '#lib/contract/api-queries.ts'
import { type DatabaseFile, isKept, type loadDatabase } from './database-file.ts'
import type { Engine } from './engine.ts'

/** What the server says of its file. `generation` is that of the archive. */
export type DatabaseFacts = DatabaseFile & {
  tables: TableSet
  generation: number
  asOf: number
}

export type LoadPhase =
  /** Waits for the reader's consent. */
  | { name: 'asking'; bytes: number }
  | { name: 'loading'; part: 'data'; bytes: number; total: number | null }
  | { name: 'loading'; part: 'engine' }

export type Loaded = { facts: DatabaseFacts; file: Blob; engine: Engine }

export type LoaderDeps = {
  loadFacts: (tables: TableSet, signal: AbortSignal) => Promise<DatabaseFacts>
  loadFile: (
    file: DatabaseFacts,
    options: { signal: AbortSignal; onProgress: (bytes: number) => void },
  ) => ReturnType<typeof loadDatabase>
  storage: Parameters<typeof isKept>[1]
  openEngine: (database: Promise<Blob>, signal: AbortSignal) => Promise<Engine>
  /** True on phones and where data are to be saved. */
  isMetered: () => boolean
}

/** Compressed, as it is sent. */
export const ENGINE_BYTES = 7_700_000
const ASK_BYTES = 5_000_000
const REPLACED = 412

const has = (set: TableSet | null | undefined, wanted: TableSet) => set === 'all' || set === wanted

/** A load outlives the query that began it, so that a changed query does not begin it again. */
export function createLoader(deps: LoaderDeps, show: (phase: LoadPhase) => void) {
  let held: Loaded | null = null
  let loading: {
    tables: TableSet
    loaded: Promise<Loaded | null>
    abort: AbortController
  } | null = null
  let asked: TableSet | null = null
  let agreed: TableSet | null = null

  async function open(tables: TableSet, signal: AbortSignal): Promise<Loaded | null> {
    show({ name: 'loading', part: 'data', bytes: 0, total: null })
    const described = deps.loadFacts(tables, signal)
    if (!has(agreed, tables) && deps.isMetered()) {
      const facts = await described
      const isAsked = await mustAsk(facts)
      signal.throwIfAborted()
      if (isAsked) {
        asked = tables
        show({ name: 'asking', bytes: facts.bytes + ENGINE_BYTES })
        return null
      }
    }
    return await start(
      described.then((facts) => fetchFile(facts, signal)),
      signal,
    )
  }

  /** Once more if the server has written a newer file since. */
  async function fetchFile(facts: DatabaseFacts, signal: AbortSignal, isAgain = false) {
    const onProgress = (bytes: number) => {
      if (!signal.aborted) show({ name: 'loading', part: 'data', bytes, total: facts.bytes })
    }
    try {
      return { facts, file: await deps.loadFile(facts, { signal, onProgress }) }
    } catch (error) {
      const isReplaced = error instanceof ApiError && error.status === REPLACED
      if (!isReplaced || isAgain) throw error
      return await fetchFile(await deps.loadFacts(facts.tables, signal), signal, true)
    }
  }

  async function start(data: Promise<Omit<Loaded, 'engine'>>, signal: AbortSignal) {
    const database = data.then(({ file }) => file)
    // The engine awaits it only after its start.
    database.catch(() => {})
    const opened = deps.openEngine(database, signal)
    const { facts, file } = await Promise.race([data, opened.then(() => data)])
    show({ name: 'loading', part: 'engine' })
    const engine = await opened
    if (signal.aborted) engine.close()
    signal.throwIfAborted()
    held = { facts, file, engine }
    return held
  }

  const mustAsk = async (facts: DatabaseFacts): Promise<boolean> =>
    facts.bytes + ENGINE_BYTES >= ASK_BYTES && !(await isKept(facts, deps.storage))

  const abort = () => {
    loading?.abort.abort()
    loading = null
  }
  const drop = () => {
    abort()
    held?.engine.close()
    held = null
  }
  return {
    held: () => held,
    /** Null: the reader is asked. Starts a lost engine again with the data that are here. */
    load(tables: TableSet): Promise<Loaded | null> {
      const kept = has(held?.facts.tables, tables) ? held : null
      if (kept && !kept.engine.isLost()) return Promise.resolve(kept)
      if (loading && has(loading.tables, tables)) return loading.loaded
      drop()
      const controller = new AbortController()
      const { signal } = controller
      const loaded = (kept ? start(Promise.resolve(kept), signal) : open(tables, signal)).finally(
        () => {
          if (loading?.abort === controller) loading = null
        },
      )
      // What is left of a failed load must not report progress.
      loaded.catch(() => controller.abort())
      loading = { tables, loaded, abort: controller }
      return loaded
    },
    agree() {
      agreed = asked
    },
    abort,
    drop,
  }
}
