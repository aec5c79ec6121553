import * as z from 'zod/mini'
import { openLineFile, parseLine } from '#lib/files/line-file.ts'
import { PURPOSES } from '#lib/upstream/upstream.ts'
import type { Database, Transaction } from './connection.ts'

/** `at`: Unix seconds, database clock. */
const sentRequest = z.object({
  id: z.string(),
  at: z.number(),
  /** `YYYY-MM`. */
  month: z.string(),
  purpose: z.enum(PURPOSES),
})
export type SentRequest = z.infer<typeof sentRequest>

export type SentRequests = {
  note(sent: SentRequest): Promise<void>
  /** Oldest first. */
  all(): readonly SentRequest[]
  newest(): SentRequest | null
}

const KEPT = 5000
const MAXIMUM_BYTES = 512 * 1024

export async function openSentRequests(options: {
  file: string
  onProblem: (error: unknown) => void
}): Promise<SentRequests> {
  const { lines, file } = await openLineFile({ ...options, maximumBytes: MAXIMUM_BYTES })
  return createSentRequests(
    lines.flatMap((line) => parseLine(sentRequest, line) ?? []),
    async (sent) => {
      file.append(JSON.stringify(sent))
      await file.settle()
    },
  )
}

export function createSentRequests(
  earlier: readonly SentRequest[] = [],
  write: (sent: SentRequest) => Promise<void> = async () => undefined,
): SentRequests {
  let kept = earlier.slice(-KEPT)
  const toNewer = (a: SentRequest | null, b: SentRequest) => (a && a.at > b.at ? a : b)
  let newest = kept.reduce(toNewer, null as SentRequest | null)
  return {
    async note(sent) {
      kept.push(sent)
      if (kept.length > 2 * KEPT) kept = kept.slice(-KEPT)
      newest = toNewer(newest, sent)
      await write(sent)
    },
    all: () => kept,
    newest: () => newest,
  }
}

/** Below the retention of a day: missing rows were lost, not pruned. */
const REMEMBERED = '12 hours'

/** Losses are always at the end. */
export async function lacksSent(sql: Database | Transaction, sent: SentRequests): Promise<boolean> {
  const newest = sent.newest()
  if (!newest) return false
  const [found] = await sql<{ is: boolean }[]>`
    select to_timestamp(${newest.at}::float8) > clock_timestamp() - ${REMEMBERED}::text::interval
      and not exists (select 1 from bellwether.request where id = ${newest.id}::uuid) as is`
  return found?.is ?? false
}

/** Idempotent. */
export async function countAgain(
  transaction: Transaction,
  node: string,
  sent: SentRequests,
): Promise<void> {
  await transaction`
    with given as (
      select * from json_to_recordset(${JSON.stringify(sent.all())}::text::json)
        as given (id uuid, at float8, month text, purpose text)
      where to_timestamp(at) > clock_timestamp() - ${REMEMBERED}::text::interval
    ), written as (
      insert into bellwether.request (id, at, purpose, node)
      select id, least(to_timestamp(at), clock_timestamp()), purpose, ${node} from given
      on conflict (id) do nothing returning id
    )
    insert into bellwether.request_month as kept
    select month, purpose, count(*) from written join given using (id) group by month, purpose
    on conflict (month, purpose) do update set requests = kept.requests + excluded.requests`
}
