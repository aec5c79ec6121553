import { join } from 'node:path'
import * as z from 'zod/mini'
import { AppError } from '#lib/contract/faults.ts'
import { toDateText } from '#lib/contract/instant-text.ts'
import { type DumpKind, editionName, nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { type Disk, onDisk, writeAtomically } from '#lib/sync/disk.ts'
import { hasValidator } from '#lib/upstream/answer-headers.ts'

const note = z.object({
  /** Unix seconds. */
  since: z.int(),
  checkedAt: z.int(),
  mark: z.string(),
  validators: z.object({ etag: z.nullable(z.string()), lastModified: z.nullable(z.string()) }),
  reason: z.string(),
  times: z.int(),
})

export type RefusedDump = z.infer<typeof note>

type Refusal = Pick<RefusedDump, 'mark' | 'validators' | 'reason'>

export type RefusedDumpStore = {
  /** Null if none was refused in the week of `at`. */
  read(at: number): RefusedDump | null
  note(refusal: Refusal, at: number): Promise<RefusedDump>
  drop(): Promise<void>
}

export async function openRefusedDump(
  dir: string,
  kind: DumpKind,
  disk: Disk,
): Promise<RefusedDumpStore> {
  const path = join(dir, `${kind}.refused.json`)
  let refused = parseNote(await disk.readText(path).catch(() => ''))
  const read = (at: number) =>
    refused && editionName(refused.since) === editionName(at) ? refused : null
  return {
    read,
    async note(refusal, at) {
      const before = read(at)
      const same = before?.mark === refusal.mark ? before : null
      const times = (same?.times ?? 0) + 1
      const next = { ...refusal, since: same?.since ?? at, checkedAt: at, times }
      refused = next
      await onDisk(() => writeAtomically(path, JSON.stringify(next), disk))
      return next
    },
    async drop() {
      if (!refused) return
      refused = null
      await onDisk(() => disk.remove(path))
    },
  }
}

function parseNote(text: string): RefusedDump | null {
  try {
    const parsed = note.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

const TIMES_MAX = 2
const ASK_SECONDS = 3600

/** Null if the dump may be fetched at `at` (Unix seconds). */
export function selectRefusal(
  refused: RefusedDump | null,
  { at, isMetered }: { at: number; isMetered: boolean },
): AppError | null {
  if (!refused || refused.times < TIMES_MAX) return null
  const { since, checkedAt, validators, reason } = refused
  const isAsked = hasValidator(validators) && !isMetered
  const until = Math.min(nextEditionAt(at), isAsked ? checkedAt + ASK_SECONDS : Infinity)
  if (until <= at) return null
  const message = `${reason} The dump has been invalid since ${toDateText(since)} UTC.`
  return new AppError('upstream_contract', message, { retryAfterSeconds: until - at })
}
