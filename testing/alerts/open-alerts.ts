import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDeliverer, type Deliverer } from '#lib/alerts/deliver.ts'
import { type AlertsOptions, keepAlerts } from '#lib/alerts/keep-alerts.ts'
import { storedRules } from '#lib/alerts/rules.ts'
import { alertState } from '#lib/alerts/state.ts'
import type { Archive } from '#lib/archive/archive.ts'
import type { Alarm } from '#lib/contract/answers/status.ts'
import { createSharedFile, type SharedFile } from '#lib/files/json-file.ts'
import { importRows, openMemory, START } from '#testing/archive/arbitrary.ts'

type Rows = Parameters<typeof importRows>[1]

export async function openAlerts({
  deliverer,
  allowsPrivate = true,
  random = () => 0.5,
  records,
}: Partial<Pick<AlertsOptions, 'deliverer' | 'allowsPrivate' | 'random' | 'records'>> = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'bellwether-alerts-'))
  const clock = { now: START, ms: 0 }
  const now = () => clock.now
  const archive: Archive = await openMemory()
  const listeners = new Set<() => void>()
  const state = { alarms: [] as Alarm[], sync: 'idle' as const, isJudging: true }
  const lines: string[] = []
  const secrets: string[] = []
  const crash = { in: Number.POSITIVE_INFINITY, isWritten: false }
  let ids = 0
  const sleep = async () => {}
  const open = (given: Deliverer = deliverer ?? createDeliverer({ allowsPrivate })) =>
    keepAlerts({
      archive,
      allowsPrivate,
      random,
      now,
      nowMs: () => clock.ms,
      records: records ?? {
        rules: createSharedFile({ path: join(dir, 'rules.json'), schema: storedRules, now, sleep }),
        state: withEnd(
          crash,
          createSharedFile({ path: join(dir, 'state.json'), schema: alertState, now, sleep }),
        ),
        refresh: async () => {},
      },
      sync: {
        alarms: () => state.alarms,
        state: () => ({
          state: state.sync,
          reason: null,
          move: null,
          progress: null,
          checked_at: null,
          next_at: null,
        }),
        onChange: (listener) => {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
      },
      isJudging: () => state.isJudging,
      deliverer: given,
      toAddress: (address) => `https://ratings.example${address}`,
      makeId: () => {
        ids += 1
        return `msg_${ids}_${dir.slice(-6)}`
      },
      every: () => () => {},
      hide: (secret) => secrets.push(secret),
      log: (message, fields) => lines.push(JSON.stringify({ message, ...fields })),
    })
  const alerts = { now: open() }
  return {
    dir,
    clock,
    archive,
    state,
    lines,
    secrets,
    crash,
    alerts: () => alerts.now,
    async commit(rows: Rows) {
      await importRows(archive, rows, clock.now)
      for (const listener of listeners) listener()
    },
    async pass(seconds: number) {
      clock.now += seconds
      clock.ms += seconds * 1000
      await alerts.now.settled()
    },
    async restart(given?: Deliverer) {
      await alerts.now.close()
      alerts.now = open(given)
      await alerts.now.settled()
    },
    async close() {
      await alerts.now.close()
      await archive.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** A file whose process dies before or right after write number `in`. */
const withEnd = <T>(
  crash: { in: number; isWritten: boolean },
  kept: SharedFile<T>,
): SharedFile<T> => ({
  load: kept.load,
  async update(change) {
    if (crash.in < 0) throw new Error('the process has ended')
    crash.in -= 1
    if (crash.in >= 0) return await kept.update(change)
    if (crash.isWritten) await kept.update(change)
    throw new Error('the process ends')
  },
})
