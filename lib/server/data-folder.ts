import 'server-only'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Env } from './env.ts'

/** What a process keeps in its data folder, each by its name there: whoever opens, checks or copies the folder goes by this. */
export const DATA_FILES = {
  archive: 'archive.duckdb',
  editions: 'editions',
  discovery: 'discovery.json',
  ledger: 'requests.log',
  runs: 'runs.ndjson',
  events: 'events.ndjson',
  pause: 'pause.json',
  owner: 'service.txt',
  service: 'service',
} as const

/** Of these the older half lies beside them, in `.1`. */
const IN_HALVES: readonly string[] = [DATA_FILES.runs, DATA_FILES.events]

/** Whether a name in the folder is one of these; what else lies there is made again, or is somebody else's. */
export const isDataFile = (name: string): boolean =>
  Object.values<string>(DATA_FILES).includes(name) ||
  (name.endsWith('.1') && IN_HALVES.includes(name.slice(0, -2)))

/** The folder holds the ratings of another service: to mix the two would be a lie in every figure. */
export class ForeignFolder extends Error {
  constructor(kept: string, asked: string) {
    super(`DATA_DIR keeps the ratings of ${kept}; for ${asked} choose another DATA_DIR`)
    this.name = 'ForeignFolder'
  }
}

/** Marks a data folder with the service whose ratings it keeps. Throws ForeignFolder where that is another. */
export function claimFolder({ dataDir, baseUrl }: Pick<Env, 'dataDir' | 'baseUrl'>): void {
  const file = join(dataDir, DATA_FILES.owner)
  const asked = baseUrl ? `${baseUrl.origin}${baseUrl.pathname}` : 'the embedded service'
  if (!existsSync(file)) {
    writeFileSync(file, `${asked}\n`, { mode: 0o600 })
    return
  }
  const kept = readFileSync(file, 'utf8').trim()
  if (kept !== asked) throw new ForeignFolder(kept, asked)
}
