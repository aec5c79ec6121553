import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { type ArchiveLock, takeLock } from '#lib/archive/lifecycle/archive-files.ts'
import { AppError } from '#lib/contract/faults.ts'
import { DUMP_KINDS } from '#lib/contract/weekly-clock.ts'
import { DATA_FILES, MANIFEST_FILE } from '#lib/server/environment/data-folder.ts'
import { toBackupFolder } from '#lib/server/environment/env.ts'
import { acceptHeldBack } from '#lib/sync/editions/edition-store.ts'
import { askForBackup, backUp, verify } from './archive/backup.ts'
import { check } from './archive/check.ts'
import { type CommandContext, Problem } from './archive/command.ts'
import { rebuildArchive } from './archive/rebuild.ts'

const USAGE = `Commands for the archive in DATA_DIR. Except backup and verify, they need DATA_DIR to themselves.

  npm run archive -- check                    reads all data; prints figures and problems
  npm run archive -- rebuild                  rebuilds it from the newest dump, plus the ratings that only the old archive has
  npm run archive -- backup [FOLDER]          makes a backup; default BACKUP_FOLDER/<instant>
  npm run archive -- verify [FOLDER]          checks a backup, by default the newest; changes nothing
  npm run archive -- share                    fills the empty shared database (DATABASE_URL) from DATA_DIR
  npm run archive -- accept posts|lookups     accepts a dump that was set aside because it shrank
  npm run archive -- move-service ADDRESS     keeps the archive for its service at a new address, after comparing ratings
  npm run archive -- import-alerts FILE       adds the alert rules and webhooks of a file that ALERTS_FILE named
`

/** EX_TEMPFAIL of sysexits.h. */
const EXIT_IN_USE = 75

class UsageProblem extends Error {}

type Run = (hand: CommandContext, argument: string | undefined) => Promise<void>

type Command = {
  takes: 'nothing' | 'a folder' | 'a dump' | 'an address' | 'a file'
  changes: boolean
  run: Run
  /** Runs instead while another process holds the folder. */
  runBeside?: (hand: CommandContext, argument: string | undefined, inUse: AppError) => Promise<void>
  /** Needs no lock. */
  isElsewhere?: boolean
  /** The archive takes the folder's lock itself. */
  opensArchive?: boolean
}

const COMMANDS: Readonly<Record<string, Command>> = {
  check: { takes: 'nothing', changes: false, run: check },
  rebuild: { takes: 'nothing', changes: true, run: rebuildArchive },
  backup: { takes: 'a folder', changes: false, run: backUp, runBeside: askForBackup },
  verify: { takes: 'a folder', changes: false, run: verify, isElsewhere: true },
  share: { takes: 'nothing', changes: true, run: share, opensArchive: true },
  accept: { takes: 'a dump', changes: true, run: accept },
  'move-service': { takes: 'an address', changes: true, run: move },
  'import-alerts': { takes: 'a file', changes: true, run: takeAlerts },
}

/** Other commands must not load the database driver. */
async function share(hand: CommandContext): Promise<void> {
  const { shareArchive } = await import('./archive/share.ts')
  await shareArchive(hand)
}

/** Other commands must not load the client of services. */
async function move(hand: CommandContext, address: string | undefined): Promise<void> {
  if (address === undefined) throw new UsageProblem(USAGE)
  const { moveService } = await import('./archive/move-service.ts')
  await moveService(hand, address)
}

/** Other commands must not load the database driver. */
async function takeAlerts(hand: CommandContext, file: string | undefined): Promise<void> {
  if (file === undefined) throw new UsageProblem(USAGE)
  const { importAlerts } = await import('./archive/import-alerts.ts')
  await importAlerts(hand, file)
}

async function accept({ dataDir, print }: CommandContext, name: string | undefined): Promise<void> {
  const kind = DUMP_KINDS.find((known) => known === name)
  if (!kind) throw new UsageProblem(USAGE)
  const accepted = await acceptHeldBack(join(dataDir, DATA_FILES.editions), kind)
  if (!accepted) throw new Problem(`No ${kind} dump is set aside.`)
  print(`${accepted.fileName} is now current. The next start imports it.`)
}

type Terminal = { print(line: string): void; printError(text: string): void }

type ArchiveTarget = Pick<CommandContext, 'dataDir' | 'backupFolder'> & {
  databaseUrl?: string | undefined
  environment?: CommandContext['environment']
}

export async function runArchive(
  args: string[],
  { printError, ...given }: Terminal & ArchiveTarget,
): Promise<number> {
  try {
    await obey(args, given)
    return 0
  } catch (error) {
    const isKnown =
      error instanceof UsageProblem || error instanceof Problem || error instanceof AppError
    printError(isKnown ? `${error.message.trimEnd()}\n` : `${String(error)}\n`)
    return toExitCode(error)
  }
}

async function obey(
  args: string[],
  {
    dataDir,
    backupFolder,
    databaseUrl,
    environment = {},
    print,
  }: ArchiveTarget & Pick<CommandContext, 'print'>,
): Promise<void> {
  const { values, positionals } = readArguments(args)
  const [name, argument, ...rest] = positionals
  if (values.help || name === undefined) return print(USAGE.trimEnd())
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  const isTooMuch = rest.length > 0 || (command?.takes === 'nothing' && argument !== undefined)
  if (!command || isTooMuch) throw new UsageProblem(USAGE)
  const path = join(dataDir, DATA_FILES.archive)
  const now = () => Math.floor(Date.now() / 1000)
  const shared = { databaseUrl: databaseUrl || null, environment }
  const hand = { dataDir, path, backupFolder, ...shared, now, print }
  if (command.isElsewhere) return await command.run(hand, argument)
  const lock = command.opensArchive ? NO_LOCK : await takeFolder(path)
  if (lock instanceof AppError) {
    if (!command.runBeside) throw lock
    return await command.runBeside(hand, argument, lock)
  }
  try {
    await command.run(hand, argument)
    // The manifest no longer matches.
    if (command.changes) await rm(join(dataDir, MANIFEST_FILE), { force: true })
  } finally {
    lock.release()
  }
}

const NO_LOCK: ArchiveLock = { release: () => undefined }

/** Returns the error if the folder is in use. */
async function takeFolder(path: string): Promise<ArchiveLock | AppError> {
  try {
    return await takeLock(path)
  } catch (error) {
    if (isInUse(error)) return error
    throw error
  }
}

const isInUse = (error: unknown): error is AppError =>
  error instanceof AppError && /in use by/.test(error.message)

function readArguments(args: string[]) {
  try {
    const help = { type: 'boolean', short: 'h' } as const
    return parseArgs({ args, allowPositionals: true, options: { help } })
  } catch {
    throw new UsageProblem(USAGE)
  }
}

function toExitCode(error: unknown): number {
  if (error instanceof UsageProblem) return 2
  return isInUse(error) ? EXIT_IN_USE : 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = await runArchive(process.argv.slice(2), {
    dataDir: process.env.DATA_DIR || './data',
    backupFolder: toBackupFolder({
      DATA_DIR: process.env.DATA_DIR || undefined,
      BACKUP_FOLDER: process.env.BACKUP_FOLDER || undefined,
    }),
    databaseUrl: process.env.DATABASE_URL?.trim(),
    environment: process.env,
    print: (line) => void process.stdout.write(`${line}\n`),
    printError: (text) => void process.stderr.write(text),
  })
}
