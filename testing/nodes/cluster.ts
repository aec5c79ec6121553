import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#testing/loopback.ts'

export type NodeProcess = {
  name: string
  port: number
  url: string
  dataDir: string
  pid(): number | null
  log(): string
  start(more?: Record<string, string>): Promise<void>
  kill(): Promise<void>
  stop(): Promise<void>
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  close(): Promise<void>
}

export type NodeOptions = {
  name: string
  databaseUrl: string
  service: { url: string; key: string }
  port?: number
  env?: Record<string, string>
  onOutput?: (text: string) => void
}

const READY_MS = 120_000
const STOP_MS = 15_000

export async function createNodeProcess(options: NodeOptions): Promise<NodeProcess> {
  const { name, databaseUrl, service, env = {}, onOutput = () => undefined } = options
  const port = options.port ?? (await freePort())
  const dataDir = mkdtempSync(join(tmpdir(), `bellwether-node-${name}-`))
  const url = `http://127.0.0.1:${port}`
  const chunks: string[] = []
  let child: ChildProcess | null = null

  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null
  const end = async (signal: NodeJS.Signals) => {
    const ending = child
    if (!ending || !isRunning()) return
    const ended = new Promise((resolve) => ending.once('exit', resolve))
    ending.kill(signal)
    const insist = setTimeout(() => ending.kill('SIGKILL'), STOP_MS)
    await ended
    clearTimeout(insist)
  }
  const start = async (more: Record<string, string> = {}) => {
    if (isRunning()) return
    child = spawn(process.execPath, ['scripts/start.mjs'], {
      env: {
        ...process.env,
        no_proxy: '*',
        ...toEnvironment({ name, port, databaseUrl, service, dataDir }),
        ...env,
        ...more,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        chunks.push(text)
        onOutput(text)
      })
    }
    const deadline = performance.now() + READY_MS
    while (!(await isServing(url))) {
      if (!isRunning() || performance.now() > deadline) {
        throw new Error(`${name} does not serve. It printed:\n${chunks.join('').slice(-4000)}`)
      }
      await sleep(50)
    }
  }
  return {
    name,
    port,
    url,
    dataDir,
    start,
    pid: () => (isRunning() ? (child?.pid ?? null) : null),
    log: () => chunks.join(''),
    kill: async () => await end('SIGKILL'),
    stop: async () => await end('SIGTERM'),
    signal: (signal) => child?.kill(signal),
    async close() {
      await end('SIGKILL')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

type Settings = Pick<NodeOptions, 'name' | 'databaseUrl' | 'service'> & {
  port: number
  dataDir: string
}

const toEnvironment = ({ name, port, databaseUrl, service, dataDir }: Settings) => ({
  PORT: String(port),
  HOST: '127.0.0.1',
  DATA_DIR: dataDir,
  NODE_NAME: name,
  DATABASE_URL: databaseUrl,
  RATINGS_BASE_URL: service.url,
  RATINGS_API_KEY: service.key,
})

async function isServing(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(2000) })
    return answer.ok
  } catch {
    return false
  }
}
