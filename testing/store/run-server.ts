import { createServer, type IncomingMessage } from 'node:http'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import { listenOnLoopback } from '#testing/loopback.ts'
import { openStoreAt } from './open-store.ts'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databases: string
  }
}

const SETTINGS = [
  ...['synchronous_commit=off', 'autovacuum=off', 'max_connections=200', 'max_wal_size=128MB'],
  ...['wal_level=minimal', 'max_wal_senders=0'],
]

/** The first request starts it. */
export default async function serveDatabases(project: TestProject) {
  let server: ReturnType<typeof start> | null = null
  let databases = 0
  const answer = async ({ method, url = '/' }: IncomingMessage): Promise<string> => {
    server ??= start(project.config.env.TMPDIR)
    const { root, port } = await server
    if (method === 'DELETE') {
      await root.unsafe(`drop database "${url.slice(1)}" with (force)`)
      return ''
    }
    databases += 1
    const name = `test_${databases}`
    const template = url === '/empty' ? 'template1' : 'tables'
    // Four times as fast as WAL copying.
    await root.unsafe(`create database ${name} template ${template} strategy file_copy`)
    return `postgres://postgres@127.0.0.1:${port}/${name}`
  }
  const http = createServer((request, response) => {
    answer(request).then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  const { port, close } = await listenOnLoopback(http)
  project.provide('databases', `http://127.0.0.1:${port}`)
  return async () => {
    await close()
    await (await server?.catch(() => null))?.end()
  }
}

async function start(within: string | undefined) {
  const server = await startPostgres({ settings: SETTINGS, ...(within ? { within } : {}) })
  const tables = await openStoreAt(await server.database('tables'))
  await tables.close()
  const rootUrl = `postgres://postgres@127.0.0.1:${server.port}/postgres`
  const root = postgres(rootUrl, { max: 1, onnotice: () => {} })
  const end = async () => {
    await root.end({ timeout: 1 })
    await server.close()
  }
  return { root, port: server.port, end }
}
