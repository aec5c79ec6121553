import { join } from 'node:path'
import * as z from 'zod/mini'
import { type DumpKind, editionName } from '#lib/contract/weekly-clock.ts'
import type { Validators } from '#lib/upstream/upstream.ts'
import { type Disk, writeAtomically } from './disk.ts'

/** From so many seconds on, a second's precision tells two states of a file apart. */
const LAST_MODIFIED_SETTLED_SECONDS = 60

const note = z.object({
  /** When the dump was asked for, in seconds since 1970. */
  started_at: z.int(),
  etag: z.nullable(z.string()),
  last_modified: z.nullable(z.string()),
  total_bytes: z.nullable(z.int()),
  bytes: z.int(),
  sha256: z.string(),
  complete: z.boolean(),
})

/**
 * The beginning of a dump that broke off: its first `bytes` are on disk and have the SHA-256. `complete`: it is all
 * there and was verified, but not kept yet.
 */
export type HeldPart = {
  startedAt: number
  validators: Validators
  totalBytes: number | null
  bytes: number
  sha256: string
  complete: boolean
}

/** Parts of dumps, and beside each what is known of it. */
export type PartStore = {
  path(kind: DumpKind): string
  /** null where there is none that could be gone on with at `now`; what there is otherwise is thrown away. */
  load(kind: DumpKind, now: number): Promise<HeldPart | null>
  note(kind: DumpKind, part: HeldPart): Promise<void>
  drop(kind: DumpKind): Promise<void>
}

export function createPartStore(dir: string, disk: Disk): PartStore {
  const path = (kind: DumpKind) => join(dir, `${kind}.csv.part`)
  const notePath = (kind: DumpKind) => join(dir, `${kind}.part.json`)
  const drop = async (kind: DumpKind) => {
    await disk.remove(notePath(kind))
    await disk.remove(path(kind))
  }
  const read = async (kind: DumpKind): Promise<HeldPart | null> => {
    try {
      const parsed = note.safeParse(JSON.parse(await disk.readText(notePath(kind))))
      const isThere = parsed.success && (await disk.size(path(kind))) >= parsed.data.bytes
      return isThere ? toPart(parsed.data) : null
    } catch {
      return null
    }
  }
  return {
    path,
    async load(kind, now) {
      const part = await read(kind)
      const isOfThisWeek = part && editionName(part.startedAt) === editionName(now)
      if (part && isOfThisWeek && (part.complete || canGoOn(part))) return part
      await drop(kind)
      return null
    },
    async note(kind, part) {
      const { startedAt, validators, totalBytes, ...rest } = part
      const { etag, lastModified: last_modified } = validators
      const named = { started_at: startedAt, etag, last_modified, total_bytes: totalBytes }
      await writeAtomically(notePath(kind), JSON.stringify({ ...rest, ...named }), disk)
    },
    drop,
  }
}

/** Whether the service can tell by its validators that the rest belongs to these bytes and to no others. */
export function canGoOn({ validators, startedAt }: Pick<HeldPart, 'validators' | 'startedAt'>) {
  const { etag, lastModified } = validators
  if (etag !== null) return !etag.startsWith('W/')
  const modifiedAt = lastModified === null ? Number.NaN : Date.parse(lastModified) / 1000
  return modifiedAt <= startedAt - LAST_MODIFIED_SETTLED_SECONDS
}

function toPart(written: z.output<typeof note>): HeldPart {
  const { started_at, etag, last_modified, total_bytes, ...rest } = written
  const validators = { etag, lastModified: last_modified }
  return { ...rest, startedAt: started_at, validators, totalBytes: total_bytes }
}
