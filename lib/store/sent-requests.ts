import * as z from 'zod/mini'
import { openLineFile, parseLine } from '#lib/files/line-file.ts'
import { PURPOSES } from '#lib/upstream/upstream.ts'
import type { Database, Transaction } from './connection.ts'

/** A request that was charged: its row in the shared database. `at`: seconds since 1970, by that database's clock. */
const sentRequest = z.object({
  id: z.string(),
  at: z.number(),
  /** The month that it was counted into, `YYYY-MM`. */
  month: z.string(),
  purpose: z.enum(PURPOSES),
})
export type SentRequest = z.infer<typeof sentRequest>

/** What this node itself was granted lately, so that it can be counted again where the database lost it. */
export type SentRequests = {
  /** Resolves once it would outlive this process. Never rejects. */
  note(sent: SentRequest): Promise<void>
  /** The oldest first, as they were noted. */
  all(): readonly SentRequest[]
  /** The last that was charged; null before the first. */
  newest(): SentRequest | null
}

/** So many are remembered. */
const KEPT = 5000
/** Two files of this size hold as many. */
const MAXIMUM_BYTES = 512 * 1024

/** Opens what the process before this one noted, and goes on with it. What cannot be written is held in memory all the same. */
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

/** In memory alone, unless it is told what else to do with each. */
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

/** Well below the day for which the database keeps single requests: what is missing was lost, and not tidied away. */
const REMEMBERED = '12 hours'

/**
 * Whether the database lacks what this node counted last: what it lost is always the end of what it was told, so one look
 * is enough. Throws what the driver throws.
 */
export async function lacksSent(sql: Database | Transaction, sent: SentRequests): Promise<boolean> {
  const newest = sent.newest()
  if (!newest) return false
  const [found] = await sql<{ is: boolean }[]>`
    select to_timestamp(${newest.at}::float8) > clock_timestamp() - ${REMEMBERED}::text::interval
      and not exists (select 1 from bellwether.request where id = ${newest.id}::uuid) as is`
  return found?.is ?? false
}

/** Counts again what is missing, each where it was counted; done twice it is as done once. Throws what the driver throws. */
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
