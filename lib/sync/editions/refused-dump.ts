import { join } from 'node:path'
import * as z from 'zod/mini'
import { AppError } from '#lib/contract/faults.ts'
import { toDateText } from '#lib/contract/instant-text.ts'
import { type DumpKind, editionName, nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { type Disk, onDisk, writeAtomically } from '#lib/sync/disk.ts'
import { hasValidator } from '#lib/upstream/answer-headers.ts'

const note = z.object({
  /** When it came first and last, in seconds since 1970. */
  since: z.int(),
  checkedAt: z.int(),
  /** What tells it from any other dump: the SHA-256 of its bytes where all of them were read. */
  mark: z.string(),
  /** Conditions for asking whether it has changed. */
  validators: z.object({ etag: z.nullable(z.string()), lastModified: z.nullable(z.string()) }),
  /** A sentence. */
  reason: z.string(),
  times: z.int(),
})

/** A dump of this week that arrived and was not kept. */
export type RefusedDump = z.infer<typeof note>

/** What a refused dump is noted by. */
export type Refusal = Pick<RefusedDump, 'mark' | 'validators' | 'reason'>

export type RefusedDumpStore = {
  /** null where none was refused in the week of `at`. */
  read(at: number): RefusedDump | null
  /** Notes that a dump arrived and was refused. Throws AppError where the disk fails. */
  note(refusal: Refusal, at: number): Promise<RefusedDump>
  drop(): Promise<void>
}

/** Kept on disk, so that a restart does not fetch it again. */
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

/** A dump that arrived this often is not going to be different by itself. */
const TIMES_MAX = 2
/** How often the service is asked whether it has changed, where requests are not counted by the month. */
const ASK_SECONDS = 3600

/** Why a dump is not fetched at `at` (seconds since 1970): it arrived twice and was refused. null where it may be fetched. */
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
