import 'server-only'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { AppError } from '#lib/contract/faults.ts'
import { loadJsonFile, replaceFile } from '#lib/files/json-file.ts'
import { BACKUP_FILES } from '#lib/server/environment/data-folder.ts'

/** `folder` null: the configured folder. */
const backupWish = z.object({ id: z.string(), folder: z.nullable(z.string()) })
type BackupWish = z.infer<typeof backupWish>

const done = z.object({ to: z.string(), files: z.int(), bytes: z.int() })

/** `made` and `failed` are both null while in progress. */
const backupOutcome = z.object({
  id: z.string(),
  made: z.nullable(done),
  failed: z.nullable(z.string()),
})
type BackupOutcome = z.infer<typeof backupOutcome>

export async function takeWish(dataDir: string): Promise<BackupWish | null> {
  const file = join(dataDir, BACKUP_FILES.wish)
  // An invalid request would be read again every second.
  const wish = await loadJsonFile(file, backupWish).catch(async (error: unknown) => {
    await rm(file, { force: true })
    throw error
  })
  if (wish) await rm(file, { force: true })
  return wish
}

/** Throws what `work` throws. */
export async function tellOutcome(
  dataDir: string,
  id: string,
  work: () => Promise<z.infer<typeof done>>,
): Promise<void> {
  const tell = async (outcome: Omit<BackupOutcome, 'id'>) =>
    await replaceFile(
      join(dataDir, BACKUP_FILES.outcome),
      `${JSON.stringify({ id, ...outcome })}\n`,
    )
  await tell({ made: null, failed: null })
  try {
    const { to, files, bytes } = await work()
    await tell({ made: { to, files, bytes }, failed: null })
  } catch (error) {
    const failed = error instanceof AppError ? error.message : 'It failed. See the log.'
    await tell({ made: null, failed })
    throw error
  }
}

export async function leaveWish(dataDir: string, wish: BackupWish): Promise<void> {
  await replaceFile(join(dataDir, BACKUP_FILES.wish), `${JSON.stringify(wish)}\n`)
}

export const dropWish = async (dataDir: string): Promise<void> =>
  await rm(join(dataDir, BACKUP_FILES.wish), { force: true })

export async function readOutcome(dataDir: string, id: string): Promise<BackupOutcome | null> {
  const outcome = await loadJsonFile(join(dataDir, BACKUP_FILES.outcome), backupOutcome)
  return outcome?.id === id ? outcome : null
}

export const dropOutcome = async (dataDir: string): Promise<void> =>
  await rm(join(dataDir, BACKUP_FILES.outcome), { force: true })
