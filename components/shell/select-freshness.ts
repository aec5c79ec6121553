import { describeProgress, describeStep } from '#components/answer/progress-text.ts'
import { formatClock, formatDay, formatRelative } from '#components/format/instant.ts'
import type { Status } from '#lib/contract/answers/state.ts'

export type FreshnessTone = 'good' | 'busy' | 'waiting' | 'failed'

/** `text` says it all at a glance, `detail` is left out where there is no room, `reason` is for who asks. */
export type Freshness = {
  tone: FreshnessTone
  text: string
  detail: string | null
  reason: string | null
}

/** "14:03 UTC", with the day before it where that is not today's. */
function describeInstant(seconds: number, now: number): string {
  const clock = `${formatClock(seconds)} UTC`
  return formatDay(seconds) === formatDay(now) ? clock : `${formatDay(seconds)} ${clock}`
}

/** The header's line. `now` is in seconds since 1970. */
export function selectFreshness({ archive, sync }: Status, now: number): Freshness {
  const complete =
    archive.complete_to === null ? null : `Complete to ${describeInstant(archive.complete_to, now)}`
  const checked =
    sync.checked_at === null ? null : `checked ${formatRelative(sync.checked_at, now)}`
  const { reason, progress } = sync
  if (sync.state === 'stopped') {
    return { tone: 'failed', text: 'Sync stopped', detail: lowerFirst(complete), reason }
  }
  if (progress && (complete === null || sync.state === 'bootstrapping')) {
    const text = `${describeStep(progress)} ${describeProgress(progress)}`.trimEnd()
    return { tone: 'busy', text, detail: null, reason }
  }
  if (sync.state === 'waiting') {
    const detail = ['waiting', checked].filter((part) => part !== null).join(', ')
    return { tone: 'waiting', text: complete ?? 'Waiting', detail: complete && detail, reason }
  }
  if (complete === null) return { tone: 'busy', text: 'Starting', detail: null, reason }
  if (sync.state === 'reconciling') {
    return { tone: 'busy', text: complete, detail: 'comparing with the weekly dump', reason }
  }
  return { tone: 'good', text: complete, detail: checked, reason }
}

const lowerFirst = (text: string | null) =>
  text === null ? null : text.charAt(0).toLowerCase() + text.slice(1)
