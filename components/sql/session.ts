import { type Cells, type Engine, EngineLost, type SqlResult } from './engine.ts'
import { createLoader, type DatabaseFacts, type LoaderDeps, type LoadPhase } from './loader.ts'
import { type Column, type ResultSort, SqlError, selectTableSet } from './statement.ts'

export type Query = { text: string; sort: ResultSort | null }

export type Phase =
  | LoadPhase
  | { name: 'idle' }
  | { name: 'running' }
  /** The data or the engine. */
  | { name: 'failed'; error: unknown }

export type FinishedQuery = {
  query: Query
  outcome: { ok: true; result: SqlResult; ms: number } | { ok: false; error: SqlError }
  /** Rows of the whole result; null while unknown. */
  total: number | null
  facts: DatabaseFacts
}

export type SessionState = { phase: Phase; shown: FinishedQuery | null }

type SessionDeps = LoaderDeps & { nowMs: () => number }

export type Session = ReturnType<typeof createSession>

const IDLE: Phase = { name: 'idle' }

const isSame = (one: Query | null, other: Query | null) =>
  one?.text === other?.text &&
  one?.sort?.column === other?.sort?.column &&
  one?.sort?.direction === other?.sort?.direction

/** One query at a time; a new one cancels the last. */
export function createSession(deps: SessionDeps) {
  let state: SessionState = { phase: IDLE, shown: null }
  let wanted: Query | null = null
  let current = new AbortController()
  const listeners = new Set<() => void>()
  const show = (next: Partial<SessionState>) => {
    state = { ...state, ...next }
    for (const listener of listeners) listener()
  }
  const loader = createLoader(deps, (phase) => show({ phase }))
  /** Null for a result of another query: it must not stay under one that has none. */
  const selectOwn = () => (isSame(state.shown?.query ?? null, wanted) ? state.shown : null)

  async function answer(query: Query, signal: AbortSignal): Promise<void> {
    const loaded = await loader.load(selectTableSet(query.text))
    signal.throwIfAborted()
    if (!loaded) return show({ shown: selectOwn() })
    const { facts, engine } = loaded
    show({ phase: { name: 'running' } })
    const startMs = deps.nowMs()
    try {
      const result = await engine.run(query.text, { sort: query.sort, signal })
      const total = result.hasMore ? null : result.rows.length
      const outcome = { ok: true, result, ms: deps.nowMs() - startMs } as const
      show({ phase: IDLE, shown: { query, outcome, total, facts } })
      if (result.hasMore) await count(query, engine, signal)
    } catch (error) {
      if (!(error instanceof SqlError) || signal.aborted) throw error
      const outcome = { ok: false, error } as const
      show({ phase: IDLE, shown: { query, outcome, total: null, facts } })
    }
  }

  async function count({ text }: Query, engine: Engine, signal: AbortSignal): Promise<void> {
    // The rows are shown already: an error here leaves the number unknown.
    const total = await engine.count(text, signal).catch(() => null)
    if (!signal.aborted && total !== null && state.shown) show({ shown: { ...state.shown, total } })
  }

  async function run(query: Query): Promise<void> {
    wanted = query
    current.abort()
    current = new AbortController()
    const { signal } = current
    try {
      await answer(query, signal)
    } catch (error) {
      if (!signal.aborted) show({ phase: { name: 'failed', error }, shown: selectOwn() })
    }
  }

  const retry = () => {
    if (wanted) void run(wanted)
  }
  const cancel = () => {
    current.abort()
    loader.abort()
    show({ phase: IDLE, shown: selectOwn() })
  }
  return {
    read: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    run,
    retry,
    agree() {
      loader.agree()
      retry()
    },
    cancel,
    /** There is no query. */
    clear() {
      wanted = null
      cancel()
    },
    /** Loads the data of now and runs the query again. */
    renew() {
      loader.drop()
      retry()
    },
    /** Passes every row of the query. */
    async readAll(
      { text, sort }: Query,
      options: {
        signal: AbortSignal
        onRows: (rows: readonly Cells[], columns: readonly Column[]) => Promise<void>
      },
    ): Promise<readonly Column[]> {
      const loaded = await loader.load(selectTableSet(text))
      if (!loaded) throw new EngineLost()
      return await loaded.engine.read(text, { ...options, sort })
    },
    close() {
      current.abort()
      loader.drop()
    },
  }
}
