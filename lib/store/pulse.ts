import type { Database } from './connection.ts'
import { tell } from './notices.ts'

/** Where everything stands that nodes share, in one statement: who follows compares it with what he has. */
export type Pulse = {
  generation: number
  mark: string
  revision: number
  /** Whose ratings they are; null before the first sync. */
  service: string | null
  /** The version of each document, by name. */
  documents: Record<string, number>
  /** Which list of editions is shared: another text for another list. */
  editions: string
  /** The highest id of an event; 0 before the first. */
  events: number
  /** How often somebody asked for a sync. */
  wishes: number
  /** Who holds the lease; null where it may be taken. */
  holder: string | null
  /** The database's clock, in seconds since 1970. */
  now: number
}

/** Feels the pulse. Throws what the driver throws. */
export async function readPulse(sql: Database): Promise<Pulse> {
  const [row] = await sql<(Omit<Pulse, 'documents'> & { documents: string })[]>`
    select generation, mark, revision, service,
      (select coalesce(json_object_agg(name, version), '{}')::text from bellwether.document) as documents,
      (select mark from bellwether.edition_state) as editions,
      (select coalesce(max(id), 0) from bellwether.event) as events,
      coalesce((select wishes from bellwether.wish where name = 'sync'), 0) as wishes,
      (select holder from bellwether.lease where name = 'sync' and until >= clock_timestamp()) as holder,
      extract(epoch from clock_timestamp())::float8 as now
    from bellwether.state`
  if (!row) throw new Error('the shared database has lost its state')
  return { ...row, documents: JSON.parse(row.documents) as Record<string, number> }
}

/** Asks whoever syncs for a sync now; asked twice, it is one. */
export async function wishForSync(sql: Database): Promise<void> {
  await sql`
    insert into bellwether.wish values ('sync', 1)
    on conflict (name) do update set wishes = wish.wishes + 1`
  await tell(sql, 'wish')
}

/**
 * Notes whose ratings the nodes share, the first time. Gives whose they are: another's where the database was filled from
 * another service.
 */
export async function claimService(sql: Database, service: string): Promise<string> {
  const [row] = await sql<{ service: string }[]>`
    update bellwether.state set service = coalesce(service, ${service}) returning service`
  return row?.service ?? service
}
