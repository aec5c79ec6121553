import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type * as z from 'zod/mini'
import { MANIFEST_FILE } from '#lib/server/environment/data-folder.ts'
import { backupManifest, listFiles } from '#lib/server/operate/make-backup.ts'
import { hashFile } from '#lib/sync/disk.ts'
import { Problem } from './command.ts'

/** Null if the folder is not a backup. Throws Problem for an invalid manifest. */
export async function compareWithManifest(dataDir: string): Promise<Comparison | null> {
  const text = await readFile(join(dataDir, MANIFEST_FILE), 'utf8').catch(() => null)
  if (text === null) return null
  const { files } = parseManifest(text)
  const problems: string[] = []
  for (const [name, noted] of Object.entries(files)) {
    const path = join(dataDir, name)
    const found = await stat(path).catch(() => null)
    if (!found) problems.push(`${name} is missing, though the manifest of the backup names it`)
    else if (found.size !== noted.bytes || (await hashFile(path)) !== noted.sha256) {
      problems.push(`${name} is not the file of the backup, by its SHA-256`)
    }
  }
  for (const name of await listFiles(dataDir)) {
    if (!Object.hasOwn(files, name)) problems.push(`${name} is no file of the backup`)
  }
  return { files: Object.keys(files).length, problems }
}

export type Comparison = { files: number; problems: string[] }

function parseManifest(text: string): z.infer<typeof backupManifest> {
  try {
    return backupManifest.parse(JSON.parse(text))
  } catch {
    throw new Problem(`${MANIFEST_FILE} cannot be read: nothing says what the backup held.`)
  }
}
