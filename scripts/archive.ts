import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { takeLock } from '#lib/archive/lifecycle/archive-files.ts'
import { AppError } from '#lib/contract/faults.ts'
import { DUMP_KINDS } from '#lib/contract/weekly-clock.ts'
import { DATA_FILES, MANIFEST_FILE } from '#lib/server/data-folder.ts'
import { acceptHeldBack } from '#lib/sync/editions/edition-store.ts'
import { backUp } from './archive/backup.ts'
import { check } from './archive/check.ts'
import { type CommandContext, Problem } from './archive/command.ts'
import { rebuildArchive } from './archive/rebuild.ts'

const USAGE = `The archive in DATA_DIR, while no process has it open.

  npm run archive -- check                    reads everything once and says what is there and what is wrong
  npm run archive -- rebuild                  a new archive from the kept dump and what the old one has beside it
  npm run archive -- backup [FOLDER]          a copy to restore from; default DATA_DIR/backups/<instant>
  npm run archive -- accept posts|lookups     believes the dump that was set aside because it had shrunk
`

/** sysexits.h: try again later, somebody else has it. */
const EXIT_IN_USE = 75

class UsageProblem extends Error {}

type Command = (hand: CommandContext, argument: string | undefined) => Promise<void>

const COMMANDS: Readonly<
  Record<string, { takes: 'nothing' | 'a folder' | 'a dump'; changes: boolean; run: Command }>
> = {
  check: { takes: 'nothing', changes: false, run: check },
  rebuild: { takes: 'nothing', changes: true, run: rebuildArchive },
  backup: { takes: 'a folder', changes: false, run: backUp },
  accept: { takes: 'a dump', changes: true, run: accept },
}

async function accept({ dataDir, print }: CommandContext, name: string | undefined): Promise<void> {
  const kind = DUMP_KINDS.find((known) => known === name)
  if (!kind) throw new UsageProblem(USAGE)
  const accepted = await acceptHeldBack(join(dataDir, DATA_FILES.editions), kind)
  if (!accepted) throw new Problem(`No ${kind} dump is set aside.`)
  print(`${accepted.fileName} is current now: the next start brings it in.`)
}

type Terminal = { print(line: string): void; printError(text: string): void }

/** Does what the arguments say with the archive of a data folder, and gives the exit code. */
export async function runArchive(
  args: string[],
  { dataDir, print, printError }: Terminal & { dataDir: string },
): Promise<number> {
  try {
    await obey(args, dataDir, print)
    return 0
  } catch (error) {
    const isKnown =
      error instanceof UsageProblem || error instanceof Problem || error instanceof AppError
    printError(isKnown ? `${error.message.trimEnd()}\n` : `${String(error)}\n`)
    return toExitCode(error)
  }
}

async function obey(args: string[], dataDir: string, print: Terminal['print']): Promise<void> {
  const { values, positionals } = readArguments(args)
  const [name, argument, ...rest] = positionals
  if (values.help || name === undefined) return print(USAGE.trimEnd())
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  const isTooMuch = rest.length > 0 || (command?.takes === 'nothing' && argument !== undefined)
  if (!command || isTooMuch) throw new UsageProblem(USAGE)
  const path = join(dataDir, DATA_FILES.archive)
  const lock = await takeLock(path)
  try {
    await command.run({ dataDir, path, now: () => Math.floor(Date.now() / 1000), print }, argument)
    // A backup that was changed is none.
    if (command.changes) await rm(join(dataDir, MANIFEST_FILE), { force: true })
  } finally {
    lock.release()
  }
}

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
  return error instanceof AppError && /in use by/.test(error.message) ? EXIT_IN_USE : 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = await runArchive(process.argv.slice(2), {
    dataDir: process.env.DATA_DIR || './data',
    print: (line) => void process.stdout.write(`${line}\n`),
    printError: (text) => void process.stderr.write(text),
  })
}
