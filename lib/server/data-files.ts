import 'server-only'

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
