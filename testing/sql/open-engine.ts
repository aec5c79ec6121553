import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker as Thread } from 'node:worker_threads'
import { type Engine, openEngine } from '#components/sql/engine.ts'

const require = createRequire(import.meta.url)
const FOLDER = dirname(require.resolve('@duckdb/duckdb-wasm/dist/duckdb-node.cjs'))

/** The engine of the page `/sql` in a thread of Node. */
export async function openTestEngine(
  data: Blob | Promise<Blob>,
  signal = new AbortController().signal,
) {
  const database = Promise.resolve(data)
  const library = require('@duckdb/duckdb-wasm/dist/duckdb-node.cjs')
  const worker = startWorker()
  const moduleUrl = join(FOLDER, 'duckdb-eh.wasm')
  const engine: Engine = await openEngine({ library, worker, moduleUrl, database, signal, sleep })
  return {
    engine,
    worker,
    async [Symbol.asyncDispose]() {
      engine.close()
    },
  }
}

type Listener = (event: { data?: unknown; message?: string }) => void

/** Threads of Node have another interface than workers of browsers. */
export function startWorker(script = join(FOLDER, 'duckdb-node-eh.worker.cjs')): Worker {
  const thread = new Thread(
    `const { parentPort } = require('node:worker_threads')
    globalThis.postMessage = (message, moved) => parentPort.postMessage(message, moved)
    console.log = () => {}
    parentPort.on('message', (data) => globalThis.onmessage?.({ data }))
    require(${JSON.stringify(script)})`,
    { eval: true },
  )
  const listeners = new Map<string, Set<Listener>>()
  const of = (type: string) => listeners.get(type) ?? new Set()
  const tell = (type: string, event: Parameters<Listener>[0]) => {
    for (const listener of of(type)) listener(event)
  }
  thread.on('message', (data) => tell('message', { data }))
  thread.on('error', ({ message }) => tell('error', { message }))
  const worker = {
    addEventListener: (type: string, listener: Listener) =>
      listeners.set(type, of(type).add(listener)),
    removeEventListener: (type: string, listener: Listener) => of(type).delete(listener),
    postMessage: (message: unknown, moved?: ArrayBuffer[]) => thread.postMessage(message, moved),
    terminate: () => void thread.terminate(),
  }
  return worker as unknown as Worker
}
