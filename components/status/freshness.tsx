'use client'

import { useQuery } from '@tanstack/react-query'
import {
  describeProgress,
  describeRemaining,
  describeStep,
} from '#components/feedback/progress-text.ts'
import {
  formatAge,
  formatRelative,
  toZonedDay,
  toZonedTime,
  toZoneName,
} from '#components/format/instants.ts'
import { formatCounted } from '#components/format/numbers.ts'
import { AsOfLink } from '#components/time/as-of.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { useZone } from '#components/ui/time-zone.ts'
import { useNow } from '#components/ui/use-browser.ts'
import { ApiError } from '#lib/client/api-error.ts'
import { statusSummaryOptions } from '#lib/client/query-options.ts'
import type { StatusSummary } from '#lib/contract/answers/status.ts'

const DOTS: Record<FreshnessTone, string> = {
  good: '',
  busy: 'dot-busy',
  waiting: 'dot-waiting',
  failed: 'dot-failed',
}

export const StateDot = ({ tone }: { tone: FreshnessTone }) => (
  <span aria-hidden className={classNames('dot', DOTS[tone])} />
)

const UNKNOWN: FreshnessLine = {
  tone: 'busy',
  text: 'Checking the archive',
  detail: null,
  reason: null,
}

export function Freshness() {
  const { data: status, error } = useQuery({
    ...statusSummaryOptions(),
    refetchOnWindowFocus: true,
  })
  const now = useNow(status?.now ?? 0)
  const reader = { zone: useZone() }
  if (!error)
    return (
      <FreshnessLink
        line={status ? selectFreshness(status, now, reader) : UNKNOWN}
        zone={reader.zone}
      />
    )
  const line = selectUnreachable(status, now, reader)
  const isOffline = !(error instanceof ApiError) || error.type === 'offline'
  return (
    <FreshnessLink
      line={isOffline ? line : { ...line, text: 'Status unknown', reason: error.message }}
      zone={reader.zone}
    />
  )
}

function FreshnessLink({ line, zone }: { line: FreshnessLine; zone: string }) {
  return (
    <AsOfLink
      href="/status"
      title={line.reason ?? `${toLineText(line)}. Times in ${toZoneName(zone)}`}
      className="inline-flex size-[31px] shrink-0 items-center justify-center gap-2 rounded-sm text-sm text-ink-2 hover:text-ink max-md:size-10 wide:w-[18.5rem] print:w-auto"
    >
      <StateDot tone={line.tone} />
      <span className="sr-only tabular-nums wide:not-sr-only wide:truncate print:not-sr-only">
        <span className="sr-only">Status: </span>
        {toLineText(line)}
      </span>
    </AsOfLink>
  )
}

const toLineText = ({ text, detail }: FreshnessLine) =>
  detail === null ? text : `${text} · ${detail}`

export type FreshnessTone = 'good' | 'busy' | 'waiting' | 'failed'

type FreshnessLine = {
  tone: FreshnessTone
  text: string
  detail: string | null
  reason: string | null
}

type Reader = { zone: string }
const ANYBODY: Reader = { zone: 'UTC' }

function describeInstant(seconds: number, now: number, { zone }: Reader): string {
  const clock = toZonedTime(seconds, zone)
  const day = toZonedDay(seconds, zone)
  return day === toZonedDay(now, zone) ? clock : `${day} ${clock}`
}

/** Checks and their answers take a while: only after this they are overdue. */
const OVERDUE_SECONDS = 300

const MINUTE = 60

function describeAge(completeTo: number | null, now: number): string | null {
  if (completeTo === null || now - completeTo < MINUTE) return null
  return formatRelative(completeTo, now).replace(/ ago$/, ' old')
}

export function describeQuiet(
  { newest_created_at: newest, quiet_after_seconds: after }: StatusSummary['archive'],
  now: number,
): string | null {
  return newest === null || now - newest <= after
    ? null
    : `newest rating ${formatAge(now - newest)} old`
}

const QUIET_REASON =
  'Everything that the service lists is here, but there have been no ratings for longer than is usual in this community.'

const join = (...parts: (string | null)[]) => parts.filter((part) => part !== null).join(', ')

/** `now`: seconds since 1970. */
export function selectFreshness(
  { archive, sync, alarms }: StatusSummary,
  now: number,
  reader = ANYBODY,
): FreshnessLine {
  const { complete_to } = archive
  const complete =
    complete_to === null ? null : `Complete to ${describeInstant(complete_to, now, reader)}`
  const age = describeAge(complete_to, now)
  const { reason, progress } = sync
  const checked =
    sync.checked_at === null ? null : `checked ${formatRelative(sync.checked_at, now)}`
  if (sync.state === 'stopped') {
    return { tone: 'failed', text: 'Sync stopped', detail: lowerFirst(complete, age), reason }
  }
  if (progress && (complete === null || sync.state === 'bootstrapping')) {
    const text = `${describeStep(progress)} ${describeProgress(progress)}`.trimEnd()
    return { tone: 'busy', text, detail: describeRemaining(progress), reason }
  }
  if (sync.state === 'waiting') {
    const why = reason === null ? 'waiting' : withoutStop(reason)
    if (complete === null)
      return { tone: 'waiting', text: 'Waiting', detail: reason && why, reason }
    return { tone: 'waiting', text: complete, detail: join(age, why), reason }
  }
  if (complete === null) return { tone: 'busy', text: 'Starting', detail: null, reason }
  if (sync.state === 'reconciling') {
    return { tone: 'busy', text: complete, detail: 'comparing with the weekly dump', reason }
  }
  if (sync.next_at !== null && now - sync.next_at > OVERDUE_SECONDS) {
    return { tone: 'waiting', text: complete, detail: join(age, 'check overdue'), reason }
  }
  const quiet = describeQuiet(archive, now)
  if (quiet !== null && alarms.every(({ kind }) => kind === 'silent')) {
    return { tone: 'waiting', text: complete, detail: quiet, reason: reason ?? QUIET_REASON }
  }
  const [alarm] = alarms
  if (alarm) {
    const count = formatCounted(alarms.length, 'alarm')
    return { tone: 'waiting', text: complete, detail: join(age, count), reason: alarm.message }
  }
  return { tone: reason === null ? 'good' : 'waiting', text: complete, detail: checked, reason }
}

export function selectUnreachable(
  last: StatusSummary | undefined,
  now: number,
  reader = ANYBODY,
): FreshnessLine {
  const completeTo = last?.archive.complete_to ?? null
  const known =
    completeTo === null
      ? 'content may be outdated'
      : join(
          `complete to ${describeInstant(completeTo, now, reader)}`,
          describeAge(completeTo, now),
        )
  return { tone: 'failed', text: 'Dashboard unreachable', detail: known, reason: null }
}

const lowerFirst = (text: string | null, age: string | null) =>
  text === null ? null : join(text.charAt(0).toLowerCase() + text.slice(1), age)

const withoutStop = (sentence: string) => sentence.replace(/\.$/, '')
