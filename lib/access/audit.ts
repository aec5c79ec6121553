import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import { AUDIT_KINDS, OUTCOMES } from '#lib/contract/lists/audit.ts'
import { openLineFile, parseLine, readLines } from '#lib/files/line-file.ts'
import { toClientNetwork } from '#lib/http/ip-address.ts'

export const AUDIT_FILE = 'audit.ndjson'

/** Bytes per file; there are two. */
const MAXIMUM_BYTES = 2 * 1024 * 1024
const TEXT_MAX = 256

const auditEntry = z.object({
  at: z.int(),
  kind: z.enum(AUDIT_KINDS),
  /** Empty without a session. For a sign-in, the name as entered. */
  who: z.string(),
  from: z.string(),
  what: z.string(),
  outcome: z.enum(OUTCOMES),
})
export type AuditEntry = z.infer<typeof auditEntry>

export type AuditLog = {
  note(entry: Omit<AuditEntry, 'at'>): void
  /** Newest first. Reads the file, because the command line writes to it too. */
  latest(count: number): Promise<readonly AuditEntry[]>
  close(): Promise<void>
}

type AuditLogOptions = {
  file: string
  now: () => number
  onProblem: (error: unknown) => void
}

export async function openAuditLog(options: AuditLogOptions): Promise<AuditLog> {
  const { file: path, now, onProblem } = options
  const { file } = await openLineFile({ file: path, maximumBytes: MAXIMUM_BYTES, onProblem })
  const denied = createDenials(now)
  const append = (given: Omit<AuditEntry, 'at'>) => {
    const entry = {
      at: Math.floor(now()),
      kind: given.kind,
      who: toPlain(given.who),
      from: toPlain(given.from),
      what: toPlain(given.what),
      outcome: given.outcome,
    }
    file.append(JSON.stringify(entry))
  }
  return {
    note(given) {
      const count = given.outcome === 'done' ? 1 : denied.count(given.from)
      if (count <= DENIED_OF_ONE) append(given)
      if (count === DENIED_OF_ONE) append({ ...given, who: '', what: MORE_DENIED })
    },
    async latest(count) {
      await file.settle()
      const lines = (await readLines(path)).slice(-count)
      return lines.flatMap((line) => parseLine(auditEntry, line) ?? []).reverse()
    },
    close: file.settle,
  }
}

/** Per client network, so that refusals and failures do not push out other entries. */
const DENIED_OF_ONE = 100
const DENIED_SECONDS = 900
const MORE_DENIED =
  'was refused too often; further refusals and failures are not logged for a while'

function createDenials(now: () => number) {
  const counts = new LRUCache<string, { since: number; count: number }>({ max: 10_000 })
  return {
    count(from: string): number {
      const network = toClientNetwork(from)
      const known = counts.get(network)
      const isFresh = known !== undefined && now() - known.since < DENIED_SECONDS
      const counted = isFresh ? { ...known, count: known.count + 1 } : { since: now(), count: 1 }
      counts.set(network, counted)
      return counted.count
    },
  }
}

/** Control characters could forge a line or rewrite a terminal. */
const toPlain = (text: string) => text.replace(/[\p{Cc}\p{Cf}]/gu, '�').slice(0, TEXT_MAX)
