import 'server-only'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

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

export const MANIFEST_FILE = 'manifest.json'

/** Not part of a backup. */
export const BACKUP_FILES = {
  record: 'backups.json',
  wish: 'backup-wish.json',
  outcome: 'backup-outcome.json',
} as const

/** Written by earlier versions and read by nobody. */
const RETIRED_FILES = ['editions/differences'] as const

/** Rotated: the older half has the suffix `.1`. */
const IN_HALVES: readonly string[] = [DATA_FILES.runs, DATA_FILES.events, DATA_FILES.sent]

export const isDataFile = (name: string): boolean =>
  Object.values<string>(DATA_FILES).includes(name) ||
  (name.endsWith('.1') && IN_HALVES.includes(name.slice(0, -2)))

export class ForeignFolder extends Error {
  constructor(kept: string, asked: string) {
    const move = URL.canParse(kept) && URL.canParse(asked)
    super(
      `DATA_DIR holds the ratings of ${kept}; for ${asked} choose a different DATA_DIR${
        move ? `, or if the service moved there, run: npm run archive -- move-service ${asked}` : ''
      }`,
    )
    this.name = 'ForeignFolder'
  }
}

export const toServiceName = ({ origin, pathname }: URL): string => `${origin}${pathname}`

/** Throws ForeignFolder if the service differs, or the system's error if it is not writable. */
export function claimFolder({ dataDir, baseUrl }: { dataDir: string; baseUrl: URL | null }): void {
  accessSync(dataDir, constants.W_OK)
  refuseOthers(dataDir, baseUrl)
  rmSync(join(dataDir, MANIFEST_FILE), { force: true })
  for (const name of RETIRED_FILES) rmSync(join(dataDir, name), { recursive: true, force: true })
}

function refuseOthers(dataDir: string, baseUrl: URL | null): void {
  const file = join(dataDir, DATA_FILES.owner)
  const asked = baseUrl ? toServiceName(baseUrl) : 'the embedded service'
  if (!existsSync(file)) {
    writeFileSync(file, `${asked}\n`, { mode: 0o600 })
    return
  }
  const kept = readFileSync(file, 'utf8').trim()
  if (kept !== asked) throw new ForeignFolder(kept, asked)
}

const OTHERS = 0o077
const MODE = 0o777

/** Owner only. Skips symbolic links and files of other users. */
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
  } catch {}
}
