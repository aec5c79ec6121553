import type { Database } from './connection.ts'

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
