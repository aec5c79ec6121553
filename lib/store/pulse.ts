import { AppError } from '#lib/contract/faults.ts'
import type { Database } from './connection.ts'
import { notify } from './notices.ts'

export type Pulse = {
  generation: number
  mark: string
  revision: number
  /** Null before the first sync. */
  service: string | null
  documents: Record<string, number>
  editions: string
  events: number
  wishes: number
  /** Null if the lease is free. */
  holder: string | null
  /** Unix seconds. */
  now: number
}

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

export async function wishForSync(sql: Database): Promise<void> {
  await sql`
    insert into bellwether.wish values ('sync', 1)
    on conflict (name) do update set wishes = wish.wishes + 1`
  await notify(sql, 'wish')
}

/** Throws AppError `not_ready` if the database belongs to neither. */
export async function moveService(
  sql: Database,
  { before, after }: { before: string; after: string },
): Promise<void> {
  const { count } = await sql`
    update bellwether.state set service = ${after} where service in (${before}, ${after})`
  if (count > 0) return
  throw new AppError('not_ready', `The shared database does not hold the ratings of ${before}.`)
}

/** Returns the service that owns the database, which may be a different one. */
export async function claimService(sql: Database, service: string): Promise<string> {
  const [row] = await sql<{ service: string }[]>`
    update bellwether.state set service = coalesce(service, ${service}) returning service`
  return row?.service ?? service
}

/** `note`: a problem, or null. */
type NodeReport = {
  name: string
  version: string
  /** Unix seconds, node clock. */
  startedAt: number
  generation: number
  revision: number
  note: string | null
}

/** `seenAt`: database clock. */
export type ListedNode = NodeReport & { seenAt: number }

const FORGOTTEN = '1 hour'

export async function reportNode(sql: Database, report: NodeReport): Promise<void> {
  const { name, version, startedAt, generation, revision, note } = report
  await sql`
    insert into bellwether.node (name, version, started_at, seen_at, generation, revision, note)
    values (${name}, ${version}, to_timestamp(${startedAt}), clock_timestamp(), ${generation}, ${revision}, ${note})
    on conflict (name) do update set version = excluded.version, started_at = excluded.started_at,
      seen_at = excluded.seen_at, generation = excluded.generation, revision = excluded.revision,
      note = excluded.note`
}

export async function removeNode(sql: Database, name: string): Promise<void> {
  await sql`delete from bellwether.node where name = ${name}`
}

export async function listNodes(sql: Database): Promise<ListedNode[]> {
  await sql`
    delete from bellwether.node where seen_at < clock_timestamp() - ${FORGOTTEN}::interval`
  return await sql<ListedNode[]>`
    select node.name, version, generation, revision, note,
      floor(extract(epoch from started_at))::float8 as "startedAt",
      floor(extract(epoch from seen_at))::float8 as "seenAt"
    from bellwether.node order by node.name`
}
