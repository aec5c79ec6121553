import { SYNC_DAYS_MAX, type SyncDay } from '#lib/contract/answers/status.ts'

type UptimeState = 'good' | 'mixed' | 'failed' | 'unknown'

/** `unknown`: no run in that UTC day, or before counting began. */
export type UptimeDay = SyncDay & { state: UptimeState }

const DAY_MS = 86_400_000

/** 90 UTC days, today last. `now` in Unix seconds. */
export function toUptime(days: readonly SyncDay[], now: number): UptimeDay[] {
  const known = new Map(days.map((day) => [day.day, day]))
  return Array.from({ length: SYNC_DAYS_MAX }, (_, index) => {
    const at = now * 1000 - (SYNC_DAYS_MAX - 1 - index) * DAY_MS
    const day = new Date(at).toISOString().slice(0, 10)
    const { done, failed } = known.get(day) ?? { done: 0, failed: 0 }
    return { day, done, failed, state: toState(done, failed) }
  })
}

function toState(done: number, failed: number): UptimeState {
  if (done + failed === 0) return 'unknown'
  if (failed === 0) return 'good'
  return done === 0 ? 'failed' : 'mixed'
}

/** Null if there is no run. Rounded down to a tenth, so that 100 means all. */
export function toSucceededPercent(days: readonly UptimeDay[]): number | null {
  const done = days.reduce((sum, day) => sum + day.done, 0)
  const all = days.reduce((sum, day) => sum + day.done + day.failed, 0)
  return all === 0 ? null : Math.floor((1000 * done) / all) / 10
}
