import { randomUUID } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Freeze } from '#lib/archive/archive.ts'
import { takeLock, toStamp } from '#lib/archive/lifecycle/archive-files.ts'
import type { AppError } from '#lib/contract/faults.ts'
import { DATA_FILES, MANIFEST_FILE } from '#lib/server/environment/data-folder.ts'
import { dropOutcome, dropWish, leaveWish, readOutcome } from '#lib/server/operate/backup-wish.ts'
import { makeBackup } from '#lib/server/operate/make-backup.ts'
import { check } from './check.ts'
import { type CommandContext, Problem, toCount } from './command.ts'

/** No writer to freeze: the command holds the lock. */
const still: Freeze = async (work) => await work()

export async function backUp(hand: CommandContext, argument: string | undefined): Promise<void> {
  const { dataDir, backupFolder, now, print } = hand
  const to = resolve(argument ?? join(backupFolder, toStamp(now())))
  const freeze = { archive: still, service: still }
  const { files, bytes } = await makeBackup({ dataDir, to, now, freeze })
  print(toMadeText({ files, bytes, to }))
}

/** How long the running process may take to notice. */
const TAKEN_MS = 15_000
const LOOK_MS = 200

/** Throws `inUse` if the running process does not respond in time, Problem if the backup fails. */
export async function askForBackup(
  { dataDir, path, print }: CommandContext,
  argument: string | undefined,
  inUse: AppError,
): Promise<void> {
  const id = randomUUID()
  await leaveWish(dataDir, { id, folder: argument === undefined ? null : resolve(argument) })
  const deadline = performance.now() + TAKEN_MS
  for (;;) {
    await sleep(LOOK_MS)
    const outcome = await readOutcome(dataDir, id)
    if (outcome?.made) {
      await dropOutcome(dataDir)
      return print(`${inUse.message} It made the backup: ${toMadeText(outcome.made)}`)
    }
    if (outcome && outcome.failed !== null) {
      await dropOutcome(dataDir)
      throw new Problem(outcome.failed)
    }
    if (outcome) await requireProcess(path)
    else if (performance.now() > deadline) {
      await dropWish(dataDir)
      throw inUse
    }
  }
}

/** Throws Problem if no process has the archive open. */
async function requireProcess(path: string): Promise<void> {
  const lock = await takeLock(path).catch(() => null)
  if (!lock) return
  lock.release()
  throw new Problem('The process ended before the backup was complete. Nothing was kept.')
}

export async function verify(hand: CommandContext, argument: string | undefined): Promise<void> {
  const folder = argument ?? (await selectNewest(hand.backupFolder))
  const dataDir = resolve(folder)
  hand.print(dataDir)
  if ((await stat(join(dataDir, MANIFEST_FILE)).catch(() => null)) === null)
    throw new Problem(`Not a backup: ${MANIFEST_FILE} is missing.`)
  await check({ ...hand, dataDir, path: join(dataDir, DATA_FILES.archive) })
}

async function selectNewest(folder: string): Promise<string> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => STAMPED.test(name)).sort()
  const newest = names.at(-1)
  if (newest === undefined) throw new Problem(`There is no backup in ${folder}.`)
  return join(folder, newest)
}

const STAMPED = /^\d{8}T\d{6}Z(?:-\d+)?$/

const toMadeText = ({ files, bytes, to }: { files: number; bytes: number; to: string }) =>
  `${toCount(files)} files, ${toCount(bytes)} bytes, in ${to}`
