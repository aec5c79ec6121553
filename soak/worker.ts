import { join } from 'node:path'
import { setTimeout as sleepMs } from 'node:timers/promises'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import { openEditions } from '#lib/sync/editions/edition-store.ts'
import { createSync } from '#lib/sync/running/create-sync.ts'
import { toSyncArchive } from '#lib/sync/sync-archive.ts'
import { openCircuitBreaker } from '#lib/upstream/circuit-breaker.ts'
import { createUpstream } from '#lib/upstream/client.ts'
import { createHttpTransport } from '#lib/upstream/http-transport.ts'
import { openLedger } from '#lib/upstream/ledger.ts'

/** Prints each step, and `done` at the end. */
const [dataDir = '', address = '', key = '', at = '0', rebuildAbove = '0'] = process.argv.slice(2)
const startMs = performance.now()
const now = () => Number(at) + Math.floor((performance.now() - startMs) / 1000)
const nowMs = () => performance.now()
const say = (line: string) => process.stdout.write(`${line}\n`)
const sleep = async (ms: number, signal: AbortSignal) => {
  await sleepMs(ms, undefined, { signal })
}

say('opening')
const path = join(dataDir, 'archive.duckdb')
const archive = await openArchive({ path, now, rebuildAbove: Number(rebuildAbove) })
say(`open ${performance.now() - startMs}`)
const baseUrl = new URL(address)
const ledger = await openLedger({ file: join(dataDir, 'requests.log'), now, nowMs })
const breaker = await openCircuitBreaker({
  baseUrl,
  key,
  file: join(dataDir, 'pause.json'),
  now,
  nowMs,
})
const transport = createHttpTransport()
const upstream = createUpstream({
  kind: 'remote',
  baseUrl,
  key,
  keyIn: 'query',
  transport,
  ledger,
  breaker,
  now,
  nowMs,
  sleep,
  limits: { perMinute: 1_000_000, perMonth: null },
  random: Math.random,
})
const editions = await openEditions({ dir: join(dataDir, 'editions'), upstream, now })
const sync = createSync({
  archive: toSyncArchive(archive),
  upstream,
  editions,
  now,
  sleep,
  random: Math.random,
})

let told = ''
const finished = new Promise<void>((resolve) => {
  sync.onChange(() => {
    const { state, progress, reason } = sync.state()
    const step = progress ? `${state} ${progress.step}` : state
    if (step !== told) say(step)
    told = step
    if (state === 'idle') resolve()
    else if (reason && state !== 'bootstrapping') say(`reason ${reason}`)
  })
})
sync.start()
await finished
await sync.stop()
for (const part of [editions, transport, breaker, ledger, archive]) await part.close()
say('done')
