import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleepMs } from 'node:timers/promises'
import { type AlertsOptions, keepAlerts } from '#lib/alerts/keep-alerts.ts'
import { storedRules } from '#lib/alerts/rules.ts'
import { alertState } from '#lib/alerts/state.ts'
import type { Archive } from '#lib/archive/archive.ts'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import { createSharedFile } from '#lib/files/json-file.ts'
import { demoSymbols } from '#lib/service/demo-community.ts'
import { createKeys } from '#lib/service/keys.ts'
import { createService } from '#lib/service/service.ts'
import { importEdition } from '#lib/sync/running/reconcile.ts'
import type { KeptEdition, SyncState } from '#lib/sync/sync.ts'
import { importRows, makeRating } from '#testing/archive/arbitrary.ts'
import { median } from './measure.ts'

async function main(ratings: number, rules: number): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'bellwether-alerts-'))
  const now = () => Math.floor(Date.now() / 1000)
  const archive = await openArchive({ path: join(dir, 'archive.duckdb'), now })
  try {
    await fill(archive, { dir, ratings, now })
    const results: unknown[] = []
    const { alerts, listeners } = await open(archive, { dir, rules, now })
    await alerts.settled()
    let id = 100_000_000
    for (const size of [1, 100, 10_000]) {
      const [times, stalls]: [number[], number[]] = [[], []]
      for (let round = 0; round < ROUNDS; round += 1) {
        const rows = Array.from({ length: size }, () => {
          id += 1
          const symbol = toSymbol(id % 40)
          return makeRating({ id, user_id: id, symbol, rating: 1 + (id % 5), created_at: now() })
        })
        await importRows(archive, rows, now())
        const delay = monitorEventLoopDelay({ resolution: 1 })
        delay.enable()
        const from = performance.now()
        for (const listener of listeners) listener()
        await alerts.settled()
        times.push(performance.now() - from)
        delay.disable()
        stalls.push(delay.max / 1e6)
      }
      results.push({ size, ms: median(times), stallMs: median(stalls) })
    }
    process.stdout.write(`${JSON.stringify({ results })}\n`)
    await alerts.close()
  } finally {
    await archive.close()
    rmSync(dir, { recursive: true, force: true })
  }
}

const ROUNDS = 7

const toSymbol = (nth: number) => demoSymbols[nth % demoSymbols.length]?.symbol ?? 'AAPL'

type Filling = { dir: string; ratings: number; now: () => number }

async function fill(archive: Archive, { dir, ratings, now }: Filling): Promise<void> {
  const key = await createKeys({ dir, now, sleep: sleepMs }).ensure('bench')
  const service = await createService({
    dir,
    now,
    sleep: sleepMs,
    setTimer: () => () => {},
    source: { kind: 'demo', ratings, seed: 1, tailSeconds: 0 },
  })
  const url = `http://embedded/service/api/v1/posts/dumps?api_key=${key}`
  const answer = await service.handle(new Request(url, { headers: { 'accept-encoding': '' } }))
  const path = join(dir, 'posts.csv')
  if (!answer.body) throw new Error('no dump came')
  await writeFile(path, answer.body)
  await service.close()
  const ignore = () => undefined
  const edition = { path, rows: ratings, edition: '2026-11-15', fetched_at: now() } as KeptEdition
  await importEdition({
    archive,
    edition,
    signal: new AbortController().signal,
    onProgress: ignore,
    judge: ignore,
  })
}

type Opening = { dir: string; rules: number; now: () => number }

async function open(archive: Archive, { dir, rules: count, now }: Opening) {
  const rules = Array.from({ length: count }, (_, nth) => {
    const shared = { name: `Rule ${nth}`, webhook: 'hook' }
    const symbol = toSymbol(nth)
    if (nth % 10 === 8) return { ...shared, kind: 'crossing', symbols: [symbol], value: '3.5' }
    if (nth % 10 === 9) {
      return { ...shared, kind: 'change', symbols: [symbol], by: '0.5', days: 1 + (nth % 60) }
    }
    const query = `symbol=${symbol}&rating=${1 + (nth % 5)}&prediction_min=${nth % 50}&user=-${nth}`
    return { ...shared, kind: 'ratings', query }
  })
  const options = { now, sleep: async () => {} }
  const stored = createSharedFile({
    ...options,
    path: join(dir, 'rules.json'),
    schema: storedRules,
  })
  const secret = `whsec_${Buffer.alloc(24).toString('base64')}`
  await stored.update(() => ({
    rules,
    webhooks: [{ name: 'hook', url: 'https://chat.example/', secret }],
  }))
  const listeners = new Set<() => void>()
  const sync: AlertsOptions['sync'] = {
    alarms: () => [],
    state: () => ({ state: 'idle' }) as SyncState,
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const alerts = keepAlerts({
    archive,
    sync,
    now,
    allowsPrivate: false,
    isJudging: () => true,
    records: {
      rules: stored,
      state: createSharedFile({ ...options, path: join(dir, 'state.json'), schema: alertState }),
      refresh: async () => {},
    },
    deliverer: {
      deliver: async () => ({ delivered: true, status: 200 }),
      close: async () => {},
    },
    toAddress: () => null,
    nowMs: () => performance.now(),
    random: Math.random,
    makeId: () => crypto.randomUUID(),
    every: () => () => {},
    hide: () => {},
    log: () => {},
  })
  return { alerts, listeners }
}

await main(Number(process.argv[2] ?? 1_000_000), Number(process.argv[3] ?? 1000))
