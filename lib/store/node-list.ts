import type { Database } from './connection.ts'

/** What a node says of itself. `note`: what is wrong with it, in a sentence; null where nothing is. */
export type NodeReport = {
  name: string
  version: string
  /** Seconds since 1970, by its own clock. */
  startedAt: number
  generation: number
  revision: number
  note: string | null
}

/** A node as the others see it; `seenAt` is when it last said so, by the database's clock. */
export type ListedNode = NodeReport & { seenAt: number }

/** Who has not been heard of for so long is listed no more. */
const FORGOTTEN = '1 hour'

/** Says that the node lives, and what it holds. */
export async function reportNode(sql: Database, report: NodeReport): Promise<void> {
  const { name, version, startedAt, generation, revision, note } = report
  await sql`
    insert into bellwether.node (name, version, started_at, seen_at, generation, revision, note)
    values (${name}, ${version}, to_timestamp(${startedAt}), clock_timestamp(), ${generation}, ${revision}, ${note})
    on conflict (name) do update set version = excluded.version, started_at = excluded.started_at,
      seen_at = excluded.seen_at, generation = excluded.generation, revision = excluded.revision,
      note = excluded.note`
}

/** Takes a node off the list that ends by itself. */
export async function removeNode(sql: Database, name: string): Promise<void> {
  await sql`delete from bellwether.node where name = ${name}`
}

/** The nodes by name. */
export async function listNodes(sql: Database): Promise<ListedNode[]> {
  await sql`
    delete from bellwether.node where seen_at < clock_timestamp() - ${FORGOTTEN}::interval`
  return await sql<ListedNode[]>`
    select node.name, version, generation, revision, note,
      floor(extract(epoch from started_at))::float8 as "startedAt",
      floor(extract(epoch from seen_at))::float8 as "seenAt"
    from bellwether.node order by node.name`
}
