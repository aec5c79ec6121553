import { useEffect, useState, useSyncExternalStore } from 'react'
import { askInBrowser, fetchFile } from '#lib/client/fetch-api.ts'
import { toAsked } from '#lib/client/query-options.ts'
import type { TableSet } from '#lib/contract/api-queries.ts'
import { DATABASE_PATH } from '#lib/contract/database/tables.ts'
import { databaseQuestions } from '#lib/contract/operations/files.ts'
import { loadDatabase, openStorage } from './database-file.ts'
import { type Engine, EngineLost, openEngine } from './engine.ts'
import type { DatabaseFacts } from './loader.ts'
import { createSession, type Session } from './session.ts'

const PHONE = '(pointer: coarse), (width < 40rem)'

/** Closed when the page is left. */
export function useSession(): Session {
  const [session] = useState(() =>
    createSession({
      loadFacts,
      loadFile: (file, options) =>
        loadDatabase(file, { ...options, fetchFile, storage: openStorage }),
      storage: openStorage,
      openEngine: startEngine,
      isMetered: () => window.matchMedia(PHONE).matches || savesData(),
      nowMs: () => performance.now(),
    }),
  )
  useEffect(() => () => session.close(), [session])
  return session
}

export const useSessionState = (session: Session) =>
  useSyncExternalStore(session.subscribe, session.read, session.read)

type Connected = Navigator & { connection?: { saveData?: boolean } }

const savesData = () => (navigator as Connected).connection?.saveData === true

/** Throws NoWebAssembly, EngineLost or the abort reason. */
async function startEngine(database: Promise<Blob>, signal: AbortSignal): Promise<Engine> {
  if (typeof WebAssembly !== 'object') throw new NoWebAssembly()
  const library = await import('@duckdb/duckdb-wasm').catch(() => {
    throw new EngineLost()
  })
  signal.throwIfAborted()
  const urls = engineUrls()
  return await openEngine({
    library,
    worker: new Worker(urls.worker),
    moduleUrl: urls.module,
    database,
    signal,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  })
}

export class NoWebAssembly extends Error {
  constructor() {
    super('This browser does not run WebAssembly.')
    this.name = 'NoWebAssembly'
  }
}

async function loadFacts(tables: TableSet, signal: AbortSignal): Promise<DatabaseFacts> {
  const asked = toAsked(databaseQuestions.database, { params: new URLSearchParams({ tables }) })
  const { data, meta } = await askInBrowser(asked, { signal })
  const { bytes, etag } = data
  const { generation, as_of: asOf } = meta
  return { url: `${DATABASE_PATH}?tables=${tables}`, tables, etag, bytes, generation, asOf }
}

// Built as files: a bundled worker would not have the policy of `next.config.mjs`.
const WORKER = new URL('@duckdb/duckdb-wasm/dist/duckdb-browser-eh.worker.js', import.meta.url)
const MODULE = new URL('@duckdb/duckdb-wasm/dist/duckdb-eh.wasm', import.meta.url)

const engineUrls = () => ({
  worker: WORKER.href,
  module: MODULE.href,
})
