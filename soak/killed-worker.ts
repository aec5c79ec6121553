import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export type WorkerOptions = {
  dataDir: string
  baseUrl: string
  key: string
  /** Where its clock begins, in seconds since 1970. */
  at: number
  rebuildAbove: number
}

/**
 * How a worker ended: where it was, how long after it began to open its archive, and how long that took (both in ms, the
 * latter null where it was not open yet).
 */
export type WorkerEnd = {
  place: string
  afterMs: number
  openMs: number | null
  isDone: boolean
  said: string[]
}

const LIMIT_MS = 180_000

/**
 * Runs the sync in a process of its own, to its end or until it is killed so many milliseconds after it began to open its
 * archive: what comes before is the loading of code.
 */
export async function runWorker(options: WorkerOptions, killAfterMs?: number): Promise<WorkerEnd> {
  const { dataDir, baseUrl, key, at, rebuildAbove } = options
  const script = fileURLToPath(new URL('worker.ts', import.meta.url))
  let startMs = performance.now()
  const child = spawn(
    process.execPath,
    [
      ...['--conditions=react-server', '--import', 'tsx', script],
      ...[dataDir, baseUrl, key, String(at), String(rebuildAbove)],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS)
  const said = ['starting']
  let place = 'starting'
  let openMs: number | null = null
  createInterface(child.stdout).on('line', (line) => {
    said.push(line)
    if (line === 'opening') {
      startMs = performance.now()
      clearTimeout(timer)
      timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs ?? LIMIT_MS)
    }
    if (line.startsWith('open ')) openMs = Number(line.slice(5))
    if (!line.startsWith('reason')) place = line.replace(/^open .*/, 'open')
  })
  createInterface(child.stderr).on('line', (line) => said.push(line))
  await once(child, 'exit')
  clearTimeout(timer)
  return { place, afterMs: performance.now() - startMs, openMs, isDone: place === 'done', said }
}
