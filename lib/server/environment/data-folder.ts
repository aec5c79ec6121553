import 'server-only'
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

/** What a process keeps in its data folder, each by its name there: whoever opens, checks or copies the folder goes by this. */
export const DATA_FILES = {
  archive: 'archive.duckdb',
  editions: 'editions',
  discovery: 'discovery.json',
  ledger: 'requests.log',
  sent: 'sent.ndjson',
  runs: 'runs.ndjson',
  events: 'events.ndjson',
  pause: 'pause.json',
  owner: 'service.txt',
  service: 'service',
  access: 'access',
  prices: 'prices',
  alerts: 'alerts',
} as const

/** What a backup says of its files. A folder that is written to is none any more. */
export const MANIFEST_FILE = 'manifest.json'

/**
 * How backups are kept, by whom they are asked for at the command line and what became of that: of this process alone, and
 * in no backup.
 */
export const BACKUP_FILES = {
  record: 'backups.json',
  wish: 'backup-wish.json',
  outcome: 'backup-outcome.json',
} as const

/** Of these the older half lies beside them, in `.1`. */
const IN_HALVES: readonly string[] = [DATA_FILES.runs, DATA_FILES.events, DATA_FILES.sent]

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

/**
 * Marks a data folder with the service whose ratings it keeps; one that was a backup is none from then on. Throws ForeignFolder
 * where the service is another.
 */
export function claimFolder({ dataDir, baseUrl }: { dataDir: string; baseUrl: URL | null }): void {
  refuseOthers(dataDir, baseUrl)
  rmSync(join(dataDir, MANIFEST_FILE), { force: true })
}

function refuseOthers(dataDir: string, baseUrl: URL | null): void {
  const file = join(dataDir, DATA_FILES.owner)
  const asked = baseUrl ? `${baseUrl.origin}${baseUrl.pathname}` : 'the embedded service'
  if (!existsSync(file)) {
    writeFileSync(file, `${asked}\n`, { mode: 0o600 })
    return
  }
  const kept = readFileSync(file, 'utf8').trim()
  if (kept !== asked) throw new ForeignFolder(kept, asked)
}

const OTHERS = 0o077
const MODE = 0o777

/**
 * Takes the folder, and what is in it, from everybody but its owner: it may have been made or copied with other permissions.
 * What belongs to another user, or lies elsewhere, stays as it is.
 */
export function closeFolder(dataDir: string): void {
  close(dataDir, statSync(dataDir).mode)
  for (const name of readdirSync(dataDir)) {
    const path = join(dataDir, name)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found && !found.isSymbolicLink()) close(path, found.mode)
  }
}

function close(path: string, mode: number): void {
  if ((mode & OTHERS) === 0) return
  try {
    chmodSync(path, mode & MODE & ~OTHERS)
  } catch {
    // It has gone meanwhile, or is not ours to close.
  }
}
