import { join } from 'node:path'
import type * as z from 'zod/mini'
import {
  createSharedFile,
  readTextFile,
  replaceFile,
  type SharedFile,
  type Sleep,
} from '#lib/files/json-file.ts'

export type AccessRecords = {
  open<S extends z.ZodMiniType>(
    name: 'accounts' | 'sessions' | 'tokens',
    schema: S,
  ): SharedFile<z.output<S>>
  keepSecret(made: string, isSound: (kept: string) => boolean): Promise<string>
}

type FileRecordsOptions = { dir: string; now: () => number; sleep: Sleep }

export const createFileRecords = ({ dir, now, sleep }: FileRecordsOptions): AccessRecords => ({
  open: (name, schema) => createSharedFile({ path: join(dir, `${name}.json`), schema, now, sleep }),
  async keepSecret(made, isSound) {
    const path = join(dir, 'secret.key')
    const kept = (await readTextFile(path))?.trim() ?? ''
    if (isSound(kept)) return kept
    await replaceFile(path, `${made}\n`)
    return made
  },
})
