import { useEffect, useState, useSyncExternalStore } from 'react'
import { fetchFile } from '#lib/client/fetch-api.ts'
import { loadDatabase, openStorage } from './database-file.ts'
import { type Engine, EngineLost, openEngine } from './engine.ts'
import { engineUrls, loadFacts } from './server-side.ts'
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
async function startEngine(database: Blob, signal: AbortSignal): Promise<Engine> {
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
