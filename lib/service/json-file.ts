import { randomUUID } from 'node:crypto'
import { chmod, open, readFile, rename, rm } from 'node:fs/promises'
import type * as z from 'zod/mini'

/** Puts a file in place whole or not at all, readable by its owner alone. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await chmod(temporary, 0o600)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Reads a JSON file of ours by its schema; null where there is none. Throws where it is not what we wrote. */
export async function loadJsonFile<S extends z.ZodMiniType>(
  path: string,
  schema: S,
): Promise<z.output<S> | null> {
  const text = await readTextFile(path)
  if (text === null) return null
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new Error(`${path} is damaged: it is not what this service wrote there`, { cause })
  }
}

/** The text of a file, or null where there is none. */
export async function readTextFile(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'
