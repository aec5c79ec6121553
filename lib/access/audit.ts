import * as z from 'zod/mini'
import { openLineFile } from '#lib/files/line-file.ts'

/** Two files of this size: some ten thousand entries. */
const MAXIMUM_BYTES = 2 * 1024 * 1024
/** How many are held in memory, for whoever asks. */
const HELD = 1000
const TEXT_MAX = 256

/** What is worth knowing later. */
const KINDS = [
  'sign-in',
  'sign-out',
  'refused',
  'export',
  'token',
  'account',
  'session',
  'sync',
] as const

/** Who did what, when, and from where. It holds no secret: neither passwords nor tokens nor what was searched for. */
const auditEntry = z.object({
  /** Seconds since 1970. */
  at: z.int(),
  kind: z.enum(KINDS),
  /** The account; empty where nobody was signed in. Of a sign-in, the name that was given. */
  who: z.string(),
  from: z.string(),
  /** A sentence without its subject: "signed in", "downloaded /api/ratings.csv". */
  what: z.string(),
  outcome: z.enum(['done', 'refused']),
})
export type AuditEntry = z.infer<typeof auditEntry>

export type AuditLog = {
  note(entry: Omit<AuditEntry, 'at'>): void
  /** The newest first. */
  latest(count: number): readonly AuditEntry[]
  close(): Promise<void>
}

export type AuditLogOptions = {
  file: string
  now: () => number
  onProblem: (error: unknown) => void
}

/** Opens the audit log as it was left. It never grows beyond two files; the oldest entries are given up. */
export async function openAuditLog({ file, now, onProblem }: AuditLogOptions): Promise<AuditLog> {
  const opened = await openLineFile({ file, maximumBytes: MAXIMUM_BYTES, onProblem })
  let entries = opened.lines.slice(-HELD).flatMap((line) => parseEntry(line) ?? [])
  return {
    note(given) {
      const entry = {
        at: Math.floor(now()),
        kind: given.kind,
        who: toPlain(given.who),
        from: toPlain(given.from),
        what: toPlain(given.what),
        outcome: given.outcome,
      }
      entries.push(entry)
      if (entries.length > 2 * HELD) entries = entries.slice(-HELD)
      opened.file.append(JSON.stringify(entry))
    },
    latest: (count) => entries.slice(-count).reverse(),
    close: opened.file.close,
  }
}

/** What came from outside is cut, and holds nothing that could write over a terminal or forge a line. */
const toPlain = (text: string) => text.replace(/[\p{Cc}\p{Cf}]/gu, '�').slice(0, TEXT_MAX)

function parseEntry(line: string): AuditEntry | null {
  try {
    const parsed = auditEntry.safeParse(JSON.parse(line))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
