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

/** Requests a minute that the nodes may send, all together. */
export const PER_MINUTE = 60

const KEY = 'key-of-the-nodes'
const HOUR = 3600

export type SoakNode = NodeProcess & {
  /** Its way to the database. */
  line: CutLine
  /** By how much its clock is wrong, in seconds. */
  wrongBy: number
  /** Whether it was told to be ended. */
  isDown: boolean
}

/** Several nodes, their database and their source. */
export type ClusterWorld = {
  server: PostgresServer
  source: Source
  nodes: readonly SoakNode[]
  /** Straight to the database, past every line. */
  sql: postgres.Sql
  vanished: Map<number, Rating>
  random: () => number
  /** What the clock of the service says, in seconds since 1970. */
  at(): number
  /** Who syncs now, by the database. */
  leader(): Promise<{ epoch: number; node: SoakNode | null }>
  start(node: SoakNode): Promise<void>
  kill(node: SoakNode): Promise<void>
  post(count: number): void
  /** Lets a week pass for everybody: an edition is there, and nodes that are started find it. Every node must be down. */
  passWeek(): void
  askToSync(): void
  /** What is not as it should be in any copy of the archive; empty where all are equal to the source. */
  compare(): Promise<string[]>
  /** What was counted, and in what order it was written. */
  compareCounts(): Promise<string[]>
  close(): Promise<void>
}

export type ClusterOptions = { nodes: number; ratings: number; random: () => number }

/** Opens all of it; nodes are not started yet. */
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
    ...{ server, source, nodes, sql, vanished, random, at },
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
    compareCounts: async () => [
      ...(await compareLedger(sql, source)),
      ...(await compareHistory(sql)),
    ],
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
      NODE_OPTIONS: `--import ${new URL('shift-clock.mjs', import.meta.url).href}`,
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

/** Looks at a copy of each archive's file: the file itself is open. What is written meanwhile makes it look damaged. */
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
      // What is in the log only is brought into the file.
      await (await openEngine({ path, memoryLimit: '512MB', threads: 1 })).close()
      const problems = await compareArchive(path, expected)
      wrong.push(...problems.map((problem) => `${name}: ${problem}`))
    } catch (error) {
      wrong.push(`${name}: ${String(error)}`)
    }
  }
  return wrong
}

/** One that is under way in a process that is stopped may come with the next minute's. */
const LATE = 1

async function compareLedger(sql: postgres.Sql, source: Source): Promise<string[]> {
  const [row] = await sql<{ requests: string }[]>`
    select coalesce(sum(requests), 0) as requests from bellwether.request_month`
  const [counted, came] = [Number(row?.requests), source.requests(KEY)]
  const busiest = source.busiestMinute(KEY)
  return [
    ...(counted >= came ? [] : [`the ledger knows ${counted} of ${came} requests`]),
    ...(busiest <= PER_MINUTE + LATE ? [] : [`${busiest} requests came within a minute`]),
  ]
}

/** A commit of an older epoch after one of a newer would be of a node that had lost the lease. */
async function compareHistory(sql: postgres.Sql): Promise<string[]> {
  const [row] = await sql<{ late: string }[]>`
    select count(*) as late from (
      select epoch, max(epoch) over (order by revision) as newest from bellwether.history) as each
    where epoch < newest`
  return Number(row?.late) === 0 ? [] : [`${row?.late} commits of a node that had lost the lease`]
}
