import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Status } from '#lib/contract/answers/status.ts'
import { freePort } from '#testing/loopback.ts'
import { startBalancer } from '#testing/nodes/balancer.ts'
import { createNodeProcess, type NodeProcess } from '#testing/nodes/cluster.ts'
import { startPostgres } from '#testing/store/postgres.ts'
import { findNginx, startNodesNginx } from '../../e2e/support/nginx.ts'
import { measureBootstrap } from '../bootstrap.ts'
import { get, waitFor } from '../measure.ts'
import { type BenchService, startBenchService } from './service.ts'

export type Setting = {
  service: BenchService
  statementLog: string
  databaseUrl: string
  nodes: readonly [NodeProcess, NodeProcess, NodeProcess]
  close(): Promise<void>
}

export type Front = { url: string; program: string; stop: () => Promise<void> }

/** Measures without the service's rate limits. */
export const UNLIMITED = { RATINGS_PER_MINUTE: '600' }

export async function openSetting(ratings: number): Promise<Setting> {
  const closing: (() => unknown)[] = []
  const close = async () => {
    for (const one of closing.toReversed()) await one()
  }
  try {
    const folder = mkdtempSync(join(tmpdir(), 'bellwether-statements-'))
    closing.push(() => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, 'posts.csv')
    const { app, dump } = await measureBootstrap(ratings, { aimSeconds: 30 })
    copyFileSync(dump.path, path)
    await app.stop()
    const service = await startBenchService({ path, rows: dump.rows })
    closing.push(service.close)
    // As root, PostgreSQL runs as a different user.
    chmodSync(folder, 0o777)
    const server = await startPostgres({
      // Durable, unlike the test server.
      settings: ['fsync=on', 'shared_buffers=128MB', ...toLogSettings(folder)],
    })
    closing.push(server.close)
    const databaseUrl = await server.database('bellwether')
    const create = async (name: string) => {
      const node = await createNodeProcess({ name, databaseUrl, service, env: UNLIMITED })
      closing.push(node.close)
      return node
    }
    const nodes = [await create('a'), await create('b'), await create('c')] as const
    const statementLog = join(folder, 'statements.log')
    return { service, statementLog, databaseUrl, nodes, close }
  } catch (error) {
    await close()
    throw error
  }
}

const toLogSettings = (folder: string) => [
  ...['logging_collector=on', `log_directory=${folder}`, 'log_filename=statements.log'],
  ...['log_file_mode=0644', 'log_line_prefix=%a|', 'log_statement=none'],
]

export async function startFront([first, second, third]: Setting['nodes']): Promise<Front> {
  const ports = [first.port, second.port, third.port] as const
  const program = findNginx()
  if (program !== null) {
    const { url, stop } = await startNodesNginx(program, ports)
    return { url, program: 'nginx', stop }
  }
  const { url, close } = await startBalancer(ports, { port: await freePort() })
  return { url, program: 'a balancer of the tests (there is no nginx)', stop: close }
}

export async function readStatus(url: string): Promise<Status> {
  const text = new TextDecoder().decode(await get(`${url}/api/status`))
  return (JSON.parse(text) as { data: Status }).data
}

const holds = async ({ url }: NodeProcess, ratings: number): Promise<boolean> => {
  const status = await readStatus(url).catch(() => null)
  return status !== null && status.archive.ratings >= ratings
}

export const untilHolds = async (node: NodeProcess, ratings: number): Promise<void> =>
  await waitFor(() => holds(node, ratings), 300_000)

async function selectLeader(nodes: readonly NodeProcess[]): Promise<NodeProcess | null> {
  for (const node of nodes) {
    if (node.pid() === null) continue
    const status = await readStatus(node.url).catch(() => null)
    const name = status?.nodes?.list.find(({ leads }) => leads)?.name
    const leader = nodes.find((one) => one.name === name)
    if (leader && leader.pid() !== null) return leader
  }
  return null
}

export async function findLeader(nodes: readonly NodeProcess[]): Promise<NodeProcess> {
  let leader: NodeProcess | null = null
  await waitFor(async () => {
    leader = await selectLeader(nodes)
    return leader !== null
  }, 60_000)
  return leader as unknown as NodeProcess
}
