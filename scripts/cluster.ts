import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createKeys } from '#lib/service/keys.ts'
import { freePort } from '#testing/loopback.ts'
import { startBalancer } from '#testing/nodes/balancer.ts'
import { createNodeProcess } from '#testing/nodes/cluster.ts'
import { startPostgres } from '#testing/store/postgres.ts'

const USAGE = `Starts several nodes on this machine to try them: a demo service, PostgreSQL, the nodes, and a balancer in front.
Everything is removed at the end.

  npm run cluster -- [NODES] [--ratings N] [--port N]      default 3 nodes, 100,000 ratings, port 3000
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { ratings: { type: 'string' }, port: { type: 'string' }, help: { type: 'boolean' } },
})
const [nodes, ratings, port] = [
  positionals[0] ?? '3',
  values.ratings ?? '100000',
  values.port ?? '3000',
]
if (
  values.help ||
  !/^[1-9]$/.test(nodes) ||
  ![ratings, port].every((text) => /^[1-9]\d{0,7}$/.test(text))
) {
  process.stdout.write(USAGE)
  process.exit(values.help ? 0 : 2)
}

const print = (line: string) => process.stdout.write(`${line}\n`)
const closing: (() => Promise<unknown>)[] = []
let isEnding = false

const end = async () => {
  if (isEnding) return
  isEnding = true
  print('Stopping the nodes.')
  for (const close of closing.toReversed())
    await close().catch((error: unknown) => print(String(error)))
  process.exit()
}
process.on('SIGINT', () => void end())
process.on('SIGTERM', () => void end())

try {
  await run()
} catch (error) {
  print(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
  await end()
}

async function run(): Promise<void> {
  const service = await startService()
  const server = await startPostgres()
  closing.push(server.close)
  const databaseUrl = await server.database('bellwether')
  print(`PostgreSQL    ${databaseUrl}`)
  const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'].slice(
    0,
    Number(nodes),
  )
  const started = await Promise.all(
    names.map(async (name) => {
      const node = await createNodeProcess({
        name,
        databaseUrl,
        service,
        env: { ALLOWED_HOSTS: '127.0.0.1' },
      })
      closing.push(node.close)
      await node.start()
      print(`node ${name.padEnd(8)} ${node.url}      pid ${node.pid()}`)
      return node
    }),
  )
  const balancer = await startBalancer(
    started.map((node) => node.port),
    { port: Number(port) },
  )
  closing.push(balancer.close)
  print(`\nThe dashboard is at ${balancer.url}; ${balancer.url}/status lists the nodes.`)
  print('Kill a node by its pid: it restarts after 5 seconds. Ctrl+C stops everything.\n')
  for (;;) {
    await sleep(1000)
    for (const node of started) {
      if (node.pid() !== null || isEnding) continue
      print(`node ${node.name} has ended`)
      await sleep(5000)
      await node.start()
      print(`node ${node.name} serves again, pid ${node.pid()}`)
    }
  }
}

async function startService() {
  const dataDir = mkdtempSync(join(tmpdir(), 'bellwether-service-'))
  closing.push(async () => rmSync(dataDir, { recursive: true, force: true }))
  const keys = createKeys({
    dir: join(dataDir, 'service'),
    now: () => Math.floor(Date.now() / 1000),
    sleep,
  })
  const key = await keys.ensure('nodes', { perMinute: 60, perMonth: null })
  const servicePort = await freePort()
  const process = await createNodeProcess({
    name: 'service',
    port: servicePort,
    databaseUrl: '',
    service: { url: '', key: '' },
    env: { DATA_DIR: dataDir, DEMO_RATINGS: ratings, DEMO_TAIL_SECONDS: '20' },
  })
  closing.push(process.close)
  await process.start()
  const url = `${process.url}/service`
  print(`demo service  ${url}`)
  return { url, key }
}
