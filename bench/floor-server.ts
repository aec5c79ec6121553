import { type ChildProcess, spawn } from 'node:child_process'
import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { waitFor } from './measure.ts'

const NEXT = createRequire(import.meta.url).resolve('next/dist/bin/next')
const FLOOR_DIR = fileURLToPath(new URL('./floor', import.meta.url))
const FLOOR_PORT = 3977

export type Floor = { url: string; stop(): Promise<void> }

export async function startFramework(bytesFile: string): Promise<Floor> {
  const built = await ended(
    spawn(process.execPath, [NEXT, 'build', FLOOR_DIR], { stdio: 'ignore' }),
  )
  if (built !== 0) throw new Error('the floor could not be built: next build bench/floor says why')
  const child = spawn(
    process.execPath,
    [NEXT, 'start', FLOOR_DIR, '-H', '127.0.0.1', '-p', String(FLOOR_PORT)],
    { stdio: 'ignore', env: { ...process.env, NODE_ENV: 'production', FLOOR_BYTES: bytesFile } },
  )
  const url = `http://127.0.0.1:${FLOOR_PORT}`
  await waitFor(async () => (await fetch(url).catch(() => null))?.ok ?? false, 30_000)
  return {
    url,
    stop: async () => {
      const over = ended(child)
      child.kill('SIGTERM')
      await over
    },
  }
}

export async function startFileServer(path: string): Promise<Floor> {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Length', statSync(path).size)
    createReadStream(path).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const ended = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => child.once('exit', resolve))
