import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { RULES_FILE } from '#lib/alerts/rules.ts'
import { openEngine } from '#lib/archive/engine/duckdb-engine.ts'
import { findDamaged } from '#lib/archive/lifecycle/archive-files.ts'
import { inspectFile, verifyArchive } from '#lib/archive/lifecycle/integrity-check.ts'
import { toDateText } from '#lib/contract/instant-text.ts'
import { DATA_FILES } from '#lib/server/environment/data-folder.ts'
import { hashFile } from '#lib/sync/disk.ts'
import { HELD_BACK_FOLDER, parseSidecar } from '#lib/sync/editions/edition-sidecar.ts'
import { parseLedgerLine } from '#lib/upstream/ledger.ts'
import { type CommandContext, LIMITS, Problem, toCount } from './command.ts'
import { compareWithManifest } from './manifest.ts'

type Report = { figure(text: string): void; problem(text: string): void }

/** Throws Problem after the whole report. */
export async function check(hand: CommandContext): Promise<void> {
  const { print } = hand
  let problems = 0
  const report: Report = {
    figure: (text) => print(`  ${text}`),
    problem(text) {
      problems += 1
      print(`! ${text}`)
    },
  }
  const backup = await compareWithManifest(hand.dataDir)
  if (backup) report.figure(`A backup: ${toCount(backup.files)} files in its manifest`)
  for (const problem of backup?.problems ?? []) report.problem(problem)
  for (const look of Object.values(toChecks(hand, report))) await look()
  if (problems > 0) throw new Problem(problems === 1 ? '1 problem' : `${problems} problems`)
  print('No problem found.')
}

/** In the order of the report. */
function toChecks(
  { dataDir, path }: CommandContext,
  report: Report,
): Record<keyof typeof DATA_FILES, () => Promise<void>> {
  const at = (part: keyof typeof DATA_FILES) => join(dataDir, DATA_FILES[part])
  return {
    archive: async () => await checkArchive(path, report),
    async editions() {
      await checkEditions(at('editions'), report)
      await checkEditions(join(at('editions'), HELD_BACK_FOLDER), report)
      await checkJson(join(at('editions'), 'imported.json'), report)
    },
    ledger: async () => await checkLedger(at('ledger'), report),
    sent: async () => await checkLines(at('sent'), 'requests of this node', report),
    runs: async () => await checkLines(at('runs'), 'lines of runs', report),
    events: async () => await checkLines(at('events'), 'events', report),
    discovery: async () => await checkJson(at('discovery'), report),
    pause: async () => await checkJson(at('pause'), report),
    owner: async () => await checkOwner(at('owner'), report),
    // The embedded service validates it when it opens.
    service: async () => undefined,
    // The status reports their problems.
    prices: async () => undefined,
    async alerts() {
      for (const name of [RULES_FILE, 'state.json']) {
        await checkJson(join(at('alerts'), name), report)
      }
    },
    async access() {
      for (const name of ['accounts.json', 'sessions.json', 'tokens.json']) {
        await checkJson(join(at('access'), name), report)
      }
      await checkLines(join(at('access'), 'audit.ndjson'), 'entries of the audit log', report)
    },
  }
}

async function checkEditions(dir: string, report: Report): Promise<void> {
  const names = (await readdir(dir).catch(() => [])).sort()
  for (const name of names.filter((one) => one.endsWith('.csv'))) {
    const kept = parseSidecar(
      basename(dir) === HELD_BACK_FOLDER ? join(dir, '..') : dir,
      (await readIfThere(join(dir, name.replace(/csv$/, 'json')))) ?? '',
    )
    if (!kept) {
      report.problem(`${name}: its description is missing, so it is ignored`)
      continue
    }
    const { size } = await stat(join(dir, name))
    const isSame = size === kept.bytes && (await hashFile(join(dir, name))) === kept.sha256
    const said = `${name}: ${toCount(kept.rows)} rows, ${toCount(size)} bytes`
    if (isSame) report.figure(`${said}, SHA-256 matches${kept.reason === null ? '' : ', aside'}`)
    else report.problem(`${said}: does not match its SHA-256`)
  }
}

async function checkLedger(file: string, report: Report): Promise<void> {
  const lines = await readLines(file)
  if (!lines) return
  const unread = lines.filter((line) => parseLedgerLine(line) === null).length
  report.figure(`requests.log: ${toCount(lines.length)} lines`)
  if (unread > 0) report.problem(`requests.log: ${unread} lines cannot be read and are ignored`)
}

async function checkLines(file: string, what: string, report: Report): Promise<void> {
  for (const half of [file, `${file}.1`]) {
    const lines = await readLines(half)
    if (!lines) continue
    const name = basename(half)
    const unread = lines.filter((line) => !isJson(line)).length
    report.figure(`${name}: ${toCount(lines.length)} ${what}`)
    if (unread > 0) report.problem(`${name}: ${unread} lines cannot be read`)
  }
}

async function checkJson(file: string, report: Report): Promise<void> {
  const text = await readIfThere(file)
  if (text !== null && !isJson(text)) report.problem(`${basename(file)} is not JSON and is ignored`)
}

async function checkOwner(file: string, report: Report): Promise<void> {
  const text = await readIfThere(file)
  if (text === null) return
  const name = basename(file)
  if (text.trim() === '') report.problem(`${name} does not name the service`)
  else report.figure(`${name}: the ratings of ${text.trim()}`)
}

/** Null if the file does not exist. */
async function readLines(file: string): Promise<string[] | null> {
  const text = await readIfThere(file)
  return text === null ? null : text.split('\n').filter((line) => line !== '')
}

async function readIfThere(file: string): Promise<string | null> {
  return await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  })
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

async function checkArchive(path: string, report: Report): Promise<void> {
  const name = basename(path)
  const aside = await findDamaged(path)
  if (aside) report.figure(`${aside.file}: set aside as damaged; delete it if nothing is missing`)
  const found = await inspectFile(path, LIMITS)
  if (found.is === 'absent') return report.figure(`${name}: does not exist yet`)
  if (found.is === 'damaged') {
    const what = found.logOnly ? `${name}.wal` : name
    return report.problem(`${what} is damaged. The next start sets it aside and refills it`)
  }
  const bytes = toCount((await stat(path)).size)
  if (found.is === 'older') {
    return report.figure(
      `${name}: ${bytes} bytes, of version ${found.version}; the next start migrates it`,
    )
  }
  report.figure(`${name}: ${bytes} bytes, every block is intact`)
  await checkRows(path, report)
}

async function checkRows(path: string, report: Report): Promise<void> {
  const engine = await openEngine({ ...LIMITS, path, isReadOnly: true })
  try {
    const { problems, figures } = await verifyArchive(engine.writer.db)
    for (const problem of problems) report.problem(problem)
    if (!figures) return
    const { ratings, symbols, users, vanished, quarantined, generation, completeTo } = figures
    const until = completeTo === null ? 'not complete yet' : `${toDateText(completeTo)} UTC`
    report.figure(
      `${toCount(ratings)} ratings (${toCount(vanished)} no longer listed), ${toCount(quarantined)} rows in quarantine`,
    )
    report.figure(`${toCount(symbols)} symbols, ${toCount(users)} users`)
    report.figure(`generation ${toCount(generation)}, complete to ${until}`)
  } finally {
    await engine.close()
  }
}
