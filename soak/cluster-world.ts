import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { openEngine } from '#lib/archive/engine/duckdb-engine.ts'
import type { Rating } from '#lib/contract/rating.ts'
import { nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { createNodeProcess, type NodeProcess } from '#testing/nodes/cluster.ts'
import { type CutLine, startCutLine } from '#testing/nodes/cut-line.ts'
import { type PostgresServer, startPostgres } from '#testing/store/postgres.ts'
import { compareArchive } from './compare.ts'
import { loadCommunity, openSource, passWeek, postRatings, type Source } from './source.ts'

export const PER_MINUTE = 60

const KEY = 'key-of-the-nodes'
const HOUR = 3600

export type SoakNode = NodeProcess & {
  line: CutLine
  /** Clock error in seconds. */
  wrongBy: number
  isDown: boolean
}

export type Counts = {
  /** `came`: received by the service. `counted`: recorded in the ledger. */
  came: number
  counted: number
  busiestMinute: number
  commits: number
  /** Stored after a commit of a newer epoch. */
  lateCommits: number
}

export type ClusterWorld = {
  server: PostgresServer
  source: Source
  nodes: readonly SoakNode[]
  sql: postgres.Sql
  vanished: Map<number, Rating>
  random: () => number
  /** Seconds since 1970, by the service's clock. */
  at(): number
  leader(): Promise<{ epoch: number; node: SoakNode | null }>
  start(node: SoakNode): Promise<void>
  kill(node: SoakNode): Promise<void>
  post(count: number): void
  passWeek(): void
  askToSync(): void
  compare(): Promise<string[]>
  count(): Promise<Counts>
  close(): Promise<void>
}

export type ClusterOptions = { nodes: number; ratings: number; random: () => number }

export async function openClusterWorld(options: ClusterOptions): Promise<ClusterWorld> {
  const { random } = options
  const dir = await mkdtemp(join(tmpdir(), 'bellwether-nodes-soak-'))
  let ahead = 0
  const at = () => Math.floor(Date.now() / 1000) + ahead
  const source = await openSource(await loadCommunity(dir, options.ratings, at()), at)
  source.makeEdition(at())
  const server = await startPostgres()
  const databaseUrl = await server.database('soak')
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined })
  const nodes = await Promise.all(
    Array.from({ length: options.nodes }, (_, index) =>
      createSoakNode(`node-${index + 1}`, { server, databaseUrl, url: source.baseUrl }),
    ),
  )
  const vanished = new Map<number, Rating>()
  return {
    server,
    source,
    nodes,
    sql,
    vanished,
    random,
    at,
    async leader() {
      const [lease] = await sql<{ epoch: string; holder: string | null }[]>`
        select epoch, holder from bellwether.lease where until >= clock_timestamp()`
      const node = nodes.find(({ name }) => name === lease?.holder) ?? null
      return { epoch: Number(lease?.epoch ?? 0), node }
    },
    async start(node) {
      node.isDown = false
      await node.start({ CLOCK_AHEAD_SECONDS: String(ahead + node.wrongBy) })
    },
    async kill(node) {
      node.isDown = true
      await node.kill()
    },
    post: (count) => postRatings(source, { count, at: at(), random }),
    passWeek() {
      ahead += nextEditionAt(at()) + HOUR - at()
      const gone = passWeek(source, {
        at: at() - 2 * HOUR,
        random,
        listed: new Map(source.ratings),
      })
      for (const rating of gone) vanished.set(rating.id, rating)
      source.makeEdition(at())
    },
    askToSync() {
      const up = nodes.filter(({ isDown }) => !isDown)
      const node = up[Math.floor(random() * up.length)]
      if (node) void askToSync(node.url).catch(() => undefined)
    },
    compare: async () => await compareAll(dir, nodes, { ratings: source.ratings, vanished }),
    count: async () => await countAll(sql, source),
    async close() {
      for (const node of nodes) {
        await node.close()
        await node.line.close()
      }
      await sql.end({ timeout: 1 })
      await server.close()
      await source.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

type Wiring = { server: PostgresServer; databaseUrl: string; url: string }

async function createSoakNode(name: string, wiring: Wiring): Promise<SoakNode> {
  const line = await startCutLine(wiring.server.port)
  const node = await createNodeProcess({
    name,
    databaseUrl: line.through(wiring.databaseUrl),
    service: { url: wiring.url, key: KEY },
    env: {
      RATINGS_PER_MINUTE: String(PER_MINUTE),
      NODE_OPTIONS: `--import ${new URL('../testing/shift-clock.mjs', import.meta.url).href}`,
    },
  })
  return Object.assign(node, { line, wrongBy: 0, isDown: true })
}

const askToSync = (url: string) =>
  fetch(`${url}/api/sync`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, 'sec-fetch-site': 'same-origin' },
    body: '{}',
    signal: AbortSignal.timeout(2000),
  })

type Held = { ratings: ReadonlyMap<number, Rating>; vanished: ReadonlyMap<number, Rating> }

/** Nodes have their files open. A write during the copy looks like damage. */
async function compareAll(
  dir: string,
  nodes: readonly SoakNode[],
  expected: Held,
): Promise<string[]> {
  const wrong: string[] = []
  for (const { name, dataDir } of nodes) {
    const path = join(dir, `${name}.duckdb`)
    try {
      await copyFile(join(dataDir, 'archive.duckdb'), path)
      await rm(`${path}.wal`, { force: true })
      await copyFile(join(dataDir, 'archive.duckdb.wal'), `${path}.wal`).catch(() => undefined)
      await (await openEngine({ path, memoryLimit: '512MB', threads: 1 })).close()
      const problems = await compareArchive(path, expected)
      wrong.push(...problems.map((problem) => `${name}: ${problem}`))
    } catch (error) {
      wrong.push(`${name}: ${String(error)}`)
    }
  }
  return wrong
}

async function countAll(sql: postgres.Sql, source: Source): Promise<Counts> {
  const [ledger] = await sql<{ requests: string }[]>`
    select coalesce(sum(requests), 0) as requests from bellwether.request_month`
  const [history] = await sql<{ commits: string; late: string }[]>`
    select count(*) as commits, count(*) filter (where epoch < newest) as late from (
      select epoch, max(epoch) over (order by revision) as newest from bellwether.history) as each`
  return {
    came: source.requests(KEY),
    counted: Number(ledger?.requests),
    busiestMinute: source.busiestMinute(KEY),
    commits: Number(history?.commits),
    lateCommits: Number(history?.late),
  }
}

/** A request in flight when its process stops may come in the next minute. */
const LATE = 1

export function listExcesses({ came, counted, busiestMinute, lateCommits }: Counts): string[] {
  return [
    ...(counted >= came ? [] : [`the ledger knows ${counted} of ${came} requests`]),
    ...(busiestMinute <= PER_MINUTE + LATE
      ? []
      : [`${busiestMinute} requests came within a minute`]),
    ...(lateCommits === 0 ? [] : [`${lateCommits} commits of a node that had lost the lease`]),
  ]
}
