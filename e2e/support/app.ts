import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { request as askByHttp } from 'node:http'
import { request as askByHttps } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#testing/loopback.ts'

export type RunningApp = {
  url: string
  pid: number
  dataDir: string
  log(): string
  /** Exit code. Null if it had to be killed. */
  stop(): Promise<number | null>
}

type StartOptions = {
  /** Extends this process's environment. */
  env?: Record<string, string>
}

const READY_WITHIN_MS = 180_000
const STOP_WITHIN_MS = 15_000

const PORT_TAKEN = 'is in use by another program'

/** Waits until healthy. Retries if a chosen port is taken meanwhile. */
export async function startApp({ env = {} }: StartOptions = {}): Promise<RunningApp> {
  const port = env.PORT ?? (await freePort())
  const dataDir = env.DATA_DIR ?? mkdtempSync(join(tmpdir(), 'bellwether-app-'))
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      no_proxy: '*',
      ...env,
      PORT: String(port),
      DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk))
  }
  const app: RunningApp = {
    url: `http://127.0.0.1:${port}${env.BASE_PATH ?? ''}`,
    pid: child.pid ?? 0,
    dataDir,
    log: () => chunks.join(''),
    stop: async () => {
      const code = await stopChild(child)
      if (!env.DATA_DIR) rmSync(dataDir, { recursive: true, force: true })
      return code
    },
  }
  if (await becomesHealthy(app, child, READY_WITHIN_MS)) return app
  await app.stop()
  if (env.PORT === undefined && app.log().includes(PORT_TAKEN)) {
    return await startApp({ env })
  }
  throw new Error(`The application did not become healthy. It printed:\n${app.log()}`)
}

export async function becomesHealthy(
  { url }: { url: string },
  child: ChildProcess,
  withinMs: number,
): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (performance.now() < deadline && child.exitCode === null) {
    if (await isHealthy(url)) return true
    await sleep(100)
  }
  return false
}

/** Accepts self-signed certificates. */
const isHealthy = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const ask = url.startsWith('https:') ? askByHttps : askByHttp
    const options = { agent: false, rejectUnauthorized: false }
    const asked = ask(`${url}/api/health`, options, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    asked.on('error', () => resolve(false)).end()
  })

/** Exit code. Null if it had to be killed. */
export async function stopChild(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const deadline = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
  const code = await ended
  clearTimeout(deadline)
  return code
}
