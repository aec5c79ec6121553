import 'server-only'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleepMs } from 'node:timers/promises'
import { createDeliverer } from '#lib/alerts/deliver.ts'
import { type AlertRecords, type KeptAlerts, keepAlerts } from '#lib/alerts/keep-alerts.ts'
import { RULES_DOCUMENT, RULES_FILE, storedRules } from '#lib/alerts/rules.ts'
import { alertState } from '#lib/alerts/state.ts'
import type { Archive } from '#lib/archive/archive.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { createSharedFile } from '#lib/files/json-file.ts'
import type { SharedParts } from '#lib/nodes/open-node.ts'
import { DATA_FILES } from '#lib/server/environment/data-folder.ts'
import type { Env } from '#lib/server/environment/env.ts'
import type { Log } from '#lib/server/environment/log.ts'
import type { EventLog, Sync } from '#lib/sync/sync.ts'

type AlertsDeps = {
  env: Env
  log: Log
  archive: Archive
  sync: Sync
  nodes: Pick<SharedParts, 'documents' | 'isLeading'> | null
  eventLog: EventLog
  hide: (secret: string) => void
  /** Closed in reverse order. */
  closing: { add<T extends { close(): Promise<void> }>(part: T): T }
  /** Seconds since 1970. */
  now: () => number
  /** Monotonic. */
  nowMs: () => number
  every: (seconds: number, run: () => void) => () => void
}

/** Only the node that syncs sends alerts. */
export function openAlerts({ env, nodes, closing, ...deps }: AlertsDeps): KeptAlerts {
  const { publicUrl, proxies, alertsAllowPrivate: allowsPrivate } = env
  const alerts = keepAlerts({
    ...deps,
    allowsPrivate,
    records: nodes ? openShared(nodes) : openFiles(env, deps.now),
    isJudging: nodes ? nodes.isLeading : () => true,
    deliverer: createDeliverer({ allowsPrivate, proxies, ownOrigin: publicUrl?.origin ?? null }),
    toAddress: (address) => (publicUrl ? new URL(withBase(address), publicUrl).href : null),
    random: Math.random,
    makeId: () => `msg_${randomBytes(18).toString('base64url')}`,
  })
  return closing.add(alerts)
}

function openFiles({ dataDir }: Env, now: () => number): AlertRecords {
  const dir = join(dataDir, DATA_FILES.alerts)
  const shared = { now, sleep: (ms: number) => sleepMs(ms) }
  return {
    rules: createSharedFile({ ...shared, path: join(dir, RULES_FILE), schema: storedRules }),
    state: createSharedFile({ ...shared, path: join(dir, 'state.json'), schema: alertState }),
    refresh: async () => undefined,
  }
}

const openShared = ({ documents }: Pick<SharedParts, 'documents'>): AlertRecords => ({
  rules: documents.open(RULES_DOCUMENT, storedRules),
  state: documents.open('alerts.state', alertState),
  refresh: documents.refresh,
})
