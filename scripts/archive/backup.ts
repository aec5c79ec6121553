import {
  constants,
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { openEngine } from '#lib/archive/engine/duckdb-engine.ts'
import { syncFile, toStamp } from '#lib/archive/lifecycle/archive-files.ts'
import { inspectFile } from '#lib/archive/lifecycle/integrity-check.ts'
import { isDataFile, MANIFEST_FILE } from '#lib/server/data-folder.ts'
import { hashFile } from '#lib/sync/disk.ts'
import { type CommandContext, LIMITS, Problem, toCount } from './command.ts'

/** Whole and never written to again: a second name for the same bytes is a copy. */
const NEVER_CHANGES = /^editions\/(?:aside\/)?[^/]+\.csv$/
/** A file on its way to be one. */
const UNFINISHED = /\.(?:part|new|tmp|lock)$/

/**
 * Copies the data folder into a new one, the archive with its log written out, and writes the manifest last. Throws Problem
 * where the archive is damaged or the folder is there already; then nothing is left.
 */
export async function backUp(hand: CommandContext, argument: string | undefined): Promise<void> {
  const { dataDir, path, now, print } = hand
  const stamp = toStamp(now())
  const to = resolve(argument ?? join(dataDir, 'backups', stamp))
  if ((await stat(to).catch(() => null)) !== null) throw new Problem(`${to} is there already.`)
  await settleArchive(path)
  const part = `${to}.part`
  await rm(part, { recursive: true, force: true })
  try {
    const files: Record<string, { bytes: number; sha256: string }> = {}
    for (const name of await listFiles(dataDir)) {
      const copy = join(part, name)
      await mkdir(dirname(copy), { recursive: true, mode: 0o700 })
      await duplicate(join(dataDir, name), copy, NEVER_CHANGES.test(name))
      files[name] = { bytes: (await stat(copy)).size, sha256: await hashFile(copy) }
    }
    const made = { made_at: now(), files }
    await writeFile(join(part, MANIFEST_FILE), `${JSON.stringify(made, null, 2)}\n`)
    await syncFile(join(part, MANIFEST_FILE))
    await rename(part, to)
    await syncFile(dirname(to))
    const bytes = Object.values(files).reduce((sum, file) => sum + file.bytes, 0)
    print(`${toCount(Object.keys(files).length)} files, ${toCount(bytes)} bytes, in ${to}`)
  } catch (error) {
    await rm(part, { recursive: true, force: true }).catch(() => undefined)
    throw error
  }
}

const manifest = z.object({
  made_at: z.int(),
  files: z.record(z.string(), z.object({ bytes: z.int(), sha256: z.string() })),
})

/**
 * Holds a backup against its manifest: what is missing, what is another, what was added. null where the folder is no backup.
 * Throws Problem where the manifest cannot be read.
 */
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

function parseManifest(text: string): z.infer<typeof manifest> {
  try {
    return manifest.parse(JSON.parse(text))
  } catch {
    throw new Problem(`${MANIFEST_FILE} cannot be read: nothing says what the backup held.`)
  }
}

/** A damaged archive is no backup; the log of a whole one is written into it, so that one file is all of it. */
async function settleArchive(path: string): Promise<void> {
  const found = await inspectFile(path, LIMITS)
  if (found.is === 'absent') return
  if (found.is === 'damaged')
    throw new Problem('The archive is damaged: see `npm run archive -- check`.')
  const engine = await openEngine({ ...LIMITS, path })
  try {
    await sql`checkpoint`.execute(engine.writer.db)
  } finally {
    await engine.close()
  }
}

/** Relative to the folder, with `/`. */
async function listFiles(dataDir: string): Promise<string[]> {
  const names = (await readdir(dataDir)).filter(isDataFile).sort()
  const files: string[] = []
  for (const name of names) {
    const whole = join(dataDir, name)
    if ((await stat(whole)).isFile()) files.push(name)
    else {
      const inside = await readdir(whole, { recursive: true, withFileTypes: true })
      const paths = inside
        .filter((one) => one.isFile())
        .map((one) => join(one.parentPath, one.name))
      files.push(...paths.map((one) => relative(dataDir, one).replaceAll('\\', '/')).sort())
    }
  }
  return files.filter((name) => !UNFINISHED.test(name))
}

async function duplicate(from: string, to: string, mayLink: boolean): Promise<void> {
  const isLinked =
    mayLink &&
    (await link(from, to).then(
      () => true,
      () => false,
    ))
  if (isLinked) return
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  await syncFile(to)
}
