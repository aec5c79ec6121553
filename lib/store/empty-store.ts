import { AppError } from '#lib/contract/faults.ts'
import type { Database } from './connection.ts'
import { ONE_PROCESS } from './request-ledger.ts'

const LATELY = '30 seconds'

type StoreContents = {
  service: string | null
  revision: number
  has_ratings: boolean
  has_asked: boolean
  runs: string | null
}

/** Throws AppError `not_ready`. */
export async function requireEmptyStore(sql: Database, service: string): Promise<void> {
  const [found] = await sql<StoreContents[]>`
    select service, revision,
      exists (select 1 from bellwether.rating) as has_ratings,
      exists (select 1 from bellwether.request where node <> ${ONE_PROCESS}) as has_asked,
      (select min(name) from bellwether.node
        where seen_at > clock_timestamp() - ${LATELY}::text::interval) as runs
    from bellwether.state`
  const problem = found ? toProblem(found, service) : 'The shared database has lost its state.'
  if (problem !== null) throw new AppError('not_ready', problem)
}

function toProblem({ service: kept, ...found }: StoreContents, service: string): string | null {
  if (kept !== null && kept !== service)
    return `The shared database holds the ratings of ${kept}, not of ${service}.`
  if (found.has_ratings || found.revision > 0)
    return 'The shared database already holds ratings. Share into an empty one.'
  if (found.has_asked)
    return 'Nodes have already used the shared database. Share into an empty one.'
  return found.runs === null
    ? null
    : `The node ${found.runs} is using the shared database. Stop all nodes first.`
}
